#include "base/hash.hpp"

#include "base/error.hpp"
#include "base/rng.hpp"

#include <openssl/evp.h>
#include <zlib.h>

#include <array>

namespace brewery {

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  // EVP_Digest fails only if the library itself is unusable.
  BREWERY_ASSERT(EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length,
                            EVP_sha256(), nullptr)
                 == 1);
  static constexpr char hex[] = "0123456789abcdef";
  std::string out;
  out.reserve(std::size_t{2} * length);
  for (unsigned int i = 0; i < length; ++i) {
    out += hex[digest[i] >> 4];
    out += hex[digest[i] & 15];
  }
  return out;
}

std::string content_hash(std::string_view bytes) {
  return sha256_hex(bytes).substr(0, 32);
}

std::uint64_t hash64(std::string_view bytes, std::uint64_t seed) {
  std::uint64_t state = 0xcbf29ce484222325ull ^ seed;
  for (const char byte : bytes) {
    state ^= static_cast<unsigned char>(byte);
    state *= 0x100000001b3ull;
  }
  return mix64(state);
}

std::uint32_t crc32(std::string_view bytes, std::uint32_t before) {
  // zlib treats a null pointer, which an empty view may hold, as a reset.
  if (bytes.empty()) return before;
  return static_cast<std::uint32_t>(::crc32_z(
      before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

} // namespace brewery

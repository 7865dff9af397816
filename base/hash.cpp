#include "base/hash.hpp"

#include "base/error.hpp"
#include "base/rng.hpp"

#include <openssl/evp.h>
#include <zlib.h>

#include <array>

namespace brewery {

namespace {

// The calls below fail only if the library itself is unusable.

/// Looked up once: for a short text that takes longer than hashing it.
const EVP_MD* sha256() {
  static const EVP_MD* const found = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return found;
}

using digest_bytes = std::array<unsigned char, EVP_MAX_MD_SIZE>;

std::string hex_of(const digest_bytes& digest, std::size_t length) {
  static constexpr char hex[] = "0123456789abcdef";
  std::string out;
  out.reserve(2 * length);
  for (std::size_t i = 0; i < length; ++i) {
    out += hex[digest[i] >> 4];
    out += hex[digest[i] & 15];
  }
  return out;
}

constexpr std::size_t content_digits = 32;

using context_ptr = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;

context_ptr new_context() {
  return {EVP_MD_CTX_new(), &EVP_MD_CTX_free};
}

} // namespace

std::string sha256_hex(std::string_view bytes) {
  digest_bytes digest{};
  unsigned int length = 0;
  BREWERY_ASSERT(EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length,
                            sha256(), nullptr)
                 == 1);
  return hex_of(digest, length);
}

std::string content_hash(std::string_view bytes) {
  return sha256_hex(bytes).substr(0, content_digits);
}

struct hash_input::state {
  context_ptr context = new_context();
};

hash_input::hash_input() {
  buffer_.reserve(1024); // most jobs have less, so it grows once
}
hash_input::~hash_input() = default;

void hash_input::digest() {
  if (!before_) {
    before_ = std::make_unique<state>();
    BREWERY_ASSERT(EVP_DigestInit_ex(before_->context.get(), sha256(), nullptr)
                   == 1);
  }
  BREWERY_ASSERT(
      EVP_DigestUpdate(before_->context.get(), buffer_.data(), buffer_.size())
      == 1);
  buffer_.clear();
}

std::string hash_input::content() const {
  if (!before_) return content_hash(buffer_);
  const auto copy = new_context();
  digest_bytes digest{};
  unsigned int length = 0;
  BREWERY_ASSERT(
      EVP_MD_CTX_copy_ex(copy.get(), before_->context.get()) == 1
      && EVP_DigestUpdate(copy.get(), buffer_.data(), buffer_.size()) == 1
      && EVP_DigestFinal_ex(copy.get(), digest.data(), &length) == 1);
  return hex_of(digest, length).substr(0, content_digits);
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

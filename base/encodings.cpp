#include "base/encodings.hpp"

#include "base/error.hpp"

#include <climits>
#include <fmt/format.h>
#include <openssl/evp.h>

namespace brewery {

std::string base64(std::string_view bytes) {
  BREWERY_ASSERT(bytes.size() <= INT_MAX / 4 * 3);
  // OpenSSL appends a null byte.
  std::string out((bytes.size() + 2) / 3 * 4 + 1, '\0');
  const int length =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                      reinterpret_cast<const unsigned char*>(bytes.data()),
                      static_cast<int>(bytes.size()));
  out.resize(static_cast<std::size_t>(length));
  return out;
}

std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
                       || (c >= '0' && c <= '9') || c == '-' || c == '.'
                       || c == '_' || c == '~';
    if (plain)
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

} // namespace brewery

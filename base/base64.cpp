#include "base/base64.hpp"

#include "base/error.hpp"

#include <climits>
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

} // namespace brewery

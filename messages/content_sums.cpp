#include "messages/content_sums.hpp"

#define XXH_INLINE_ALL
#include <array>
#include <cstddef>
#include <random>
#include <xxhash.h>

namespace brewery {

namespace {

using secret_words = std::array<std::random_device::result_type, 48>;
static_assert(sizeof(secret_words) >= XXH3_SECRET_SIZE_MIN);

secret_words draw_secret() {
  std::random_device device;
  secret_words out{};
  for (auto& word : out)
    word = device();
  return out;
}

} // namespace

content_sum sum_of(std::string_view text) {
  static const auto secret = draw_secret();
  return never_zero(XXH3_64bits_withSecret(text.data(), text.size(),
                                           secret.data(), sizeof secret));
}

} // namespace brewery

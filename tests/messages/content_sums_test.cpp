#include "messages/content_sums.hpp"

#include <catch2/catch.hpp>

#include <bit>
#include <cstring>
#include <functional>
#include <set>
#include <string>

using namespace brewery;

namespace {

/// Two texts that the library's hash (64 bits of Murmur) cannot tell apart,
/// whatever its seed is: a difference in the highest bit of what a word adds
/// goes through, and the next word takes it away again.
std::uint64_t with_highest_bit(std::uint64_t word) {
  constexpr std::uint64_t multiplier = 0xc6a4a7935bd1e995U;
  std::uint64_t inverse = 1; // Newton's: right in twice as many bits each time
  for (int i = 0; i < 6; ++i)
    inverse *= 2 - multiplier * inverse;
  const auto shifted = [](std::uint64_t x) { return x ^ (x >> 47U); };
  const auto added = shifted(word * multiplier) * multiplier;
  const auto changed = added ^ (std::uint64_t{1} << 63U);
  return shifted(changed * inverse) * inverse;
}

std::string text_of(std::uint64_t a, std::uint64_t b) {
  std::string out(16, '\0');
  std::memcpy(out.data(), &a, 8);
  std::memcpy(out.data() + 8, &b, 8);
  return out;
}

} // namespace

TEST_CASE("a sum is of all of the text, and never 0") {
  std::set<content_sum> sums;
  for (std::size_t size = 0; size < 600; ++size)
    CHECK(sums.insert(sum_of(std::string(size, 'x'))).second);
  std::string text(600, 'x');
  for (auto& letter : text) {
    letter = 'y';
    CHECK(sums.insert(sum_of(text)).second);
    letter = 'x';
  }
  CHECK(sum_of("fan") == sum_of(std::string{"fan"}));
  CHECK_FALSE(sums.contains(0));
}

TEST_CASE("texts that are made to have equal hashes have different sums") {
  const auto one = text_of(7, 9);
  const auto other = text_of(with_highest_bit(7), with_highest_bit(9));
  REQUIRE(one != other);
  CHECK(std::hash<std::string>{}(one) == std::hash<std::string>{}(other));
  CHECK(sum_of(one) != sum_of(other));
}

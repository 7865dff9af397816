#include "base/rng.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cmath>

using namespace brewery;

TEST_CASE("the first draws of a stream never change") {
  // SplitMix64 with seed 0 as published with the generator.
  rng plain{0};
  CHECK(plain.next() == 0xe220a8397b1dcdafull);
  CHECK(plain.next() == 0x6e789e6aa1b965f4ull);
  CHECK(plain.next() == 0x06c45d188009454full);
  CHECK(rng_key(42, "integrate", 3, 17) == 0x97b671b2e8121011ull);
  rng stream{rng_key(42, "integrate", 3, 17)};
  CHECK(stream.next() == 0x79c9d0a106ba2b0ull);
}

TEST_CASE("keys depend on every part and on their order") {
  const auto base = rng_key(1, "a", 2, 3);
  CHECK(rng_key(1, "a", 2, 3) == base);
  CHECK(rng_key(2, "a", 2, 3) != base);
  CHECK(rng_key(1, "b", 2, 3) != base);
  CHECK(rng_key(1, "a", 3, 2) != base);
  CHECK(rng_key(1, "a", 2) != base);
  CHECK(rng_key(1, "a", std::string{"2"}) != rng_key(1, "a", 2));
}

TEST_CASE("uniform draws fill the unit interval evenly") {
  const auto seed = GENERATE(1, 2, 3, 12345);
  INFO("seed " << seed);
  rng draw{rng_key(static_cast<std::uint64_t>(seed), "uniform")};
  constexpr int n = 100000;
  std::array<int, 20> bins{};
  for (int i = 0; i < n; ++i) {
    const double x = draw.uniform();
    REQUIRE(x >= 0);
    REQUIRE(x < 1);
    ++bins[static_cast<std::size_t>(x * 20)];
  }
  double chi = 0;
  for (const int count : bins)
    chi += std::pow(count - n / 20.0, 2) / (n / 20.0);
  CHECK(chi < 43.8); // 99.9 % quantile at 19 degrees of freedom
}

TEST_CASE("below stays below and reaches every value") {
  rng draw{rng_key(5, "below")};
  std::array<int, 7> bins{};
  for (int i = 0; i < 70000; ++i)
    ++bins.at(draw.below(7));
  for (const int count : bins)
    CHECK(std::abs(count - 10000) < 400);
  for (int i = 0; i < 100; ++i)
    CHECK(draw.below(1) == 0);
}

TEST_CASE("neighbouring streams are not correlated") {
  // Streams that differ in one number only, as nodes of one tree do.
  const auto node = GENERATE(range(0, 10));
  INFO("node " << node);
  rng a{rng_key(1, "tree", 0, node)};
  rng b{rng_key(1, "tree", 0, node + 1)};
  double product = 0;
  constexpr int n = 20000;
  for (int i = 0; i < n; ++i)
    product += (a.uniform() - 0.5) * (b.uniform() - 0.5);
  // The standard deviation of the mean is 1/12/sqrt(n) = 0.00059.
  CHECK(std::abs(product / n) < 4 * 0.00059);
}

TEST_CASE("the first draws of neighbouring streams are uniform too") {
  std::array<int, 10> bins{};
  for (int node = 0; node < 20000; ++node)
    ++bins[static_cast<std::size_t>(rng{rng_key(9, "first", node)}.uniform()
                                    * 10)];
  for (const int count : bins)
    CHECK(std::abs(count - 2000) < 200);
}

TEST_CASE("shuffling keeps the items and reaches every order") {
  std::array<int, 6> orders{};
  for (int i = 0; i < 6000; ++i) {
    rng draw{rng_key(11, "shuffle", i)};
    std::vector<int> items{0, 1, 2};
    draw.shuffle(items);
    auto sorted = items;
    std::sort(sorted.begin(), sorted.end());
    REQUIRE(sorted == std::vector<int>{0, 1, 2});
    ++orders[static_cast<std::size_t>(items[0] * 2
                                      + (items[1] > items[2] ? 1 : 0))];
  }
  for (const int count : orders)
    CHECK(std::abs(count - 1000) < 150);
  rng draw{1};
  std::vector<int> none;
  draw.shuffle(none);
  CHECK(none.empty());
}

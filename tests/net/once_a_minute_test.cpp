#include "net/once_a_minute.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace std::chrono_literals;

TEST_CASE("what happens often is told at once, then each minute with a count") {
  once_a_minute knocks;
  once_a_minute::moment now{};
  CHECK(knocks.happened(now) == 1u);
  CHECK_FALSE(knocks.happened(now += 1s));
  CHECK_FALSE(knocks.happened(now += 58s));
  CHECK(knocks.happened(now += 1s) == 3u);
  CHECK_FALSE(knocks.happened(now += 1s));
  CHECK(knocks.happened(now += 1h) == 2u);
}

#include "run/guarded.hpp"

#include <catch2/catch.hpp>

#include <stdexcept>

using namespace brewery;

TEST_CASE("what is thrown is an error of one line, what is returned stays") {
  const auto thrown = guarded(
      []() -> result<int> { throw std::runtime_error{"no place\nfor it"}; });
  REQUIRE_FALSE(thrown);
  CHECK(thrown.error().code == ec::internal);
  CHECK(thrown.error().message.find('\n') == std::string::npos);
  CHECK(thrown.error().message.find("no place") == 0);
  CHECK(*guarded([]() -> result<int> { return 3; }) == 3);
  const auto refused = guarded([]() -> result<void> {
    return error{ec::not_found, "nobody"};
  });
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ec::not_found);
}

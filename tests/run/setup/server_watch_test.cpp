#include "run/setup/server_watch.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

TEST_CASE("a server that does not answer is told once, at the third failure") {
  server_watch watch;
  using news = server_watch::news;
  const auto no_connection = [&] {
    return watch.on("a", attempt_outcome::not_sent);
  };
  CHECK(no_connection() == news::none);
  CHECK(no_connection() == news::none);
  CHECK(watch.on("b", attempt_outcome::not_sent) == news::none);
  CHECK(no_connection() == news::failing);
  CHECK(no_connection() == news::none);
  CHECK(watch.on("a", attempt_outcome::answered) == news::answering);
  CHECK(watch.on("a", attempt_outcome::answered) == news::none);
}

TEST_CASE("a server that limits its rate or refuses a request works") {
  server_watch watch;
  for (int i = 0; i < 5; ++i) {
    CHECK(watch.on("a", attempt_outcome::server_error)
          == server_watch::news::none);
    CHECK(watch.on("a", attempt_outcome::server_error)
          == server_watch::news::none);
    CHECK(watch.on("a", attempt_outcome::rate_limited)
          == server_watch::news::none);
  }
}

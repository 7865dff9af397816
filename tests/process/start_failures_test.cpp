#include "process/start_failures.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace std::chrono_literals;
using child::restart_rules;
using child::start_failures;

namespace {

const start_failures::time_point start{1h};
const error ended{ec::io, "it ended"};
const error killed{ec::environment, "it was killed"};

} // namespace

TEST_CASE("pauses between starts double up to the longest") {
  start_failures failures{{100ms, 500ms}};
  std::vector<std::chrono::nanoseconds> pauses;
  for (int i = 0; i < 4; ++i) {
    failures.add(ended, start);
    pauses.push_back(failures.next_start() - start);
  }
  CHECK(pauses
        == std::vector<std::chrono::nanoseconds>{100ms, 200ms, 400ms, 500ms});
  for (int i = 0; i < 100; ++i)
    failures.add(ended, start);
  CHECK(failures.next_start() - start == 500ms);
}

TEST_CASE("after three failures the pause is at least that of a refusal") {
  start_failures failures{{100ms, 500ms, 15s}};
  failures.add(ended, start);
  failures.add(ended, start);
  CHECK(failures.next_start() - start == 200ms);
  CHECK_FALSE(failures.given_up(start, false));
  failures.add(ended, start);
  CHECK(failures.next_start() - start == 15s);
  CHECK(failures.given_up(start, false));
  failures.start_again(start + 20s);
  CHECK(failures.next_start() == start + 35s);
}

TEST_CASE("what has worked, or is killed, is given time before it is refused") {
  restart_rules rules;
  rules.patience = 30s;
  for (const auto& [why, worked] : {std::pair{ended, true}, {killed, false}}) {
    start_failures failures{rules};
    for (int i = 0; i < 3; ++i)
      failures.add(why, start + std::chrono::seconds{i});
    CHECK_FALSE(failures.given_up(start + 29s, worked));
    CHECK(failures.given_up(start + 30s, worked));
  }
  start_failures lacking{rules};
  for (int i = 0; i < 3; ++i)
    lacking.add(ended, start);
  CHECK(lacking.given_up(start, false));
}

TEST_CASE("a start that works clears what failed before") {
  start_failures failures{{}};
  for (int i = 0; i < 3; ++i)
    failures.add(ended, start);
  failures.clear();
  CHECK(failures.next_start() < start);
  CHECK_FALSE(failures.given_up(start, false));
  failures.start_again(start);
  CHECK(failures.next_start() < start);
}

TEST_CASE("a refusal says how often and why") {
  start_failures failures{{}};
  failures.add(ended, start);
  CHECK(failures.refusal("the host").message
        == "the host cannot be started: it ended");
  failures.add(killed, start);
  CHECK(failures.refusal("the host").message
        == "the host cannot be started, 2 times in a row: it was killed");
  CHECK(failures.refusal("the host").code == ec::exhausted);
}

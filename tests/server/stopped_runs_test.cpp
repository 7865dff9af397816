/// Orders about runs that ended or were stopped, also before the coordinator's
/// start; and what a group keeps over restarts.

#include "store/run_status.hpp"
#include "tests/server/coordinator_case.hpp"

#include <set>

using namespace brewery;
using namespace brewery::test;
using Catch::Contains;

namespace {

/// Run "a", which its own limit has stopped.
void submit_stopped(coordinator_case& c, const std::string& group) {
  words what{{"config", toy + "[budget]\nmax_hours = 1e-6\n"}, {"id", "a"}};
  if (!group.empty()) what["group"] = group;
  c.done("submit", what);
  REQUIRE(c.wait_for("a") == "interrupted");
}

} // namespace

TEST_CASE("a run that a limit stopped before the start can be cancelled") {
  for (const std::string group : {"", "g"}) {
    INFO("group: " << group);
    coordinator_case c;
    submit_stopped(c, group);
    c.start();
    CHECK(c.done("cancel", {{"id", "a"}}).at("state") == "cancelled");
    CHECK_THAT(c.refused("cancel", {{"id", "a"}}),
               Contains("run a is already cancelled"));
    const auto run = c.options.runs_dir / "a";
    CHECK(stored(run, "submission.json").at("cancelled") == true);
    const auto status = read_run_status(run);
    REQUIRE(status);
    CHECK(status->state == run_state::cancelled);
    CHECK_THAT(status->reason, Contains("max_hours"));
    for (const bool restart : {false, true}) {
      if (restart) c.start();
      if (!group.empty())
        CHECK(c.done("group", {{"name", group}}).at("runs").at(0).at("state")
              == "cancelled");
    }
    CHECK(c.done("resume", {{"id", "a"}}).at("state") == "running");
    CHECK(stored(run, "submission.json").at("cancelled") == false);
  }
}

TEST_CASE(
    "a run that a limit stopped before the start can have another share") {
  for (const std::string group : {"", "g"}) {
    INFO("group: " << group);
    coordinator_case c;
    submit_stopped(c, group);
    c.start();
    CHECK(c.done("set", {{"id", "a"}, {"weight", "3"}}).at("weight") == 3);
    c.done("resume", {{"id", "a"}});
    CHECK(c.done("status").at("runs").at(0).at("weight") == 3);
  }
}

TEST_CASE("a run that a limit has stopped is cancelled by an order") {
  coordinator_case c;
  submit_stopped(c, "");
  CHECK(c.done("cancel", {{"id", "a"}}).at("state") == "cancelled");
  CHECK(c.states().at("a") == "cancelled");
  CHECK(stored(c.options.runs_dir / "a", "submission.json").at("cancelled")
        == true);
  CHECK_THAT(c.refused("cancel", {{"id", "a"}}),
             Contains("run a is already cancelled"));
}

TEST_CASE("an order about a run that ended before the start says what to do") {
  coordinator_case c;
  c.submit("night");
  REQUIRE(c.work_until_over("night") == "finished");
  c.start();
  for (const auto* verb : {"set", "cancel"})
    CHECK(c.refused(verb, {{"id", "night"}})
          == "run night is already finished");
  for (const auto* verb : {"retry", "quarantine"})
    CHECK_THAT(c.refused(verb, {{"id", "night"}}),
               Contains("ended before this start of the coordinator: `brewery "
                        "submit --resume night`"));
}

TEST_CASE("the rollouts that a group shared are counted over restarts") {
  coordinator_case c;
  for (const auto* id : {"a", "b"})
    c.done("submit", {{"config", toy}, {"id", id}, {"group", "g"}});
  REQUIRE(c.work_until_over("b") == "finished");
  const auto shared = [&] {
    return c.done("group", {{"name", "g"}})
        .at("rollouts_shared")
        .get<std::uint64_t>();
  };
  const auto before = shared();
  REQUIRE(before > 0);
  c.start();
  CHECK(shared() >= before);
}

TEST_CASE("a raised limit of a group stands for runs that wait at a restart") {
  coordinator_case c;
  const auto submit = [&](const std::string& id, const std::string& hours) {
    c.done("submit", {{"config", toy},
                      {"id", id},
                      {"group", "g"},
                      {"group_at_once", "1"},
                      {"group_max_hours", hours}});
  };
  const auto states = [&] {
    std::set<std::string> out;
    const auto group = c.done("group", {{"name", "g"}});
    for (const auto& run : group.at("runs"))
      out.insert(run.at("state").get<std::string>());
    return out;
  };
  for (const auto* id : {"a", "b"})
    submit(id, "1e-7");
  const auto end = std::chrono::steady_clock::now() + patience;
  while (states() != std::set<std::string>{"interrupted"}
         && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
  REQUIRE(states() == std::set<std::string>{"interrupted"});
  for (const auto* id : {"a", "b"})
    submit(id, "5");
  CHECK(states() == std::set<std::string>{"queued", "running"});
  c.start();
  CHECK(states() == std::set<std::string>{"queued", "running"});
}

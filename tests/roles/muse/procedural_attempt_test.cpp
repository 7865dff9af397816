/// Attempts of MUSE without a language model, on the toy device.

#include "envs/toy/toy.hpp"
#include "kb/bm25.hpp"
#include "roles/muse/muse_agent.hpp"
#include "roles/procedural/procedural_agent.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace brewery;

namespace {

const toy_options device{};

/// What an expert would write down about the board.
const std::string board =
    "# Application: board\n\n## on Fan: off\n\nSteps:\n1. When `check_board()` "
    "shows \"Fan: off\": call `toggle_fan()`. Expect \"Fan: on\".\n\n"
    "## on Heater: off\n\nSteps:\n1. When `check_board()` shows \"Heater: "
    "off\": call `toggle_heater()`. Expect \"Heater: on\".\n\n"
    "## on Pump: off\n\nSteps:\n1. When `check_board()` shows \"Pump: off\": "
    "call `toggle_pump()`. Expect \"Pump: on\".\n\n"
    "## see that it is done\n\nSteps:\n1. Done when `check_light()` shows "
    "\"Light: bright\".\n";

struct toy_attempt {
  trajectory made;
  grade_report grade;
  std::vector<retrieval_record> opened;
  std::uint32_t checkpoints = 0;
};

toy_attempt play_toy(const task_id& task,
                     const std::vector<std::string>& documents,
                     muse_options how = {}, agent_options options = {}) {
  const auto bench = make_toy_benchmark(device);
  auto env = std::move(*bench->make(task));
  const auto found = std::ranges::find(bench->tasks(), task, &task_info::id);
  REQUIRE(found != bench->tasks().end());
  auto index = std::make_shared<kb_index>();
  for (const auto& text : documents)
    index->documents.push_back(
        std::make_shared<const document>(make_document(text)));
  retrieval_session session{index, 3};
  const muse_agent agent{
      std::make_shared<procedural_agent>(options, retrieval_options{}), options,
      how};
  job_context context{job_id{"j"}, 0, nullptr, methods::muse};
  auto made = agent.attempt(*found, *env, session, 11, context);
  if (!made) FAIL(made.error().message);
  const auto grade = env->grade();
  return {std::move(*made), *grade, session.take_records(),
          env->checkpoints_met()};
}

/// A task whose faults are these lines of the board and no other.
task_id task_with(const std::vector<std::string>& off) {
  const auto bench = make_toy_benchmark(device);
  for (const auto& task : bench->tasks()) {
    const auto env = std::move(*bench->make(task.id));
    auto shown = env->call("check_board", json::object()).content;
    bool all = bench->checkpoints(task.id) == off.size();
    for (const auto& line : off)
      all = all && shown.find(line) != std::string::npos;
    if (all) return task.id;
  }
  FAIL("the toy has no such task");
  return {};
}

} // namespace

TEST_CASE("muse does the sub-tasks of its procedures and checks each") {
  agent_options options;
  options.explore = false;
  const auto task = task_with({"Fan: off", "Pump: off"});
  const auto seen = play_toy(task, {board}, {}, options);
  CHECK(seen.grade.reward == 1);
  CHECK(seen.checkpoints == 2);
  REQUIRE(seen.made.muse.size() == 1);
  const auto& subs = seen.made.muse.front().sub_tasks;
  REQUIRE(subs.size() == 2);
  for (const auto& sub : subs) {
    CHECK(sub.met);
    CHECK(sub.tries == 1);
    CHECK(sub.probes >= 1);
  }
  CHECK(subs.front().goal == "`check_board()` shows \"Fan: on\"");
  CHECK(seen.made.muse.front().memory.empty());
  // Bodies are opened on demand, and that is on record.
  REQUIRE(seen.opened.size() == 1);
  CHECK(seen.opened.front().query == "open board");
  CHECK(seen.opened.front().documents.size() == 1);
}

TEST_CASE("a procedure that does not work is replaced by what does") {
  // Says the wrong switch; only trying finds the right one.
  const std::string wrong =
      "# Application: board\n\n## on Fan: off\n\nSteps:\n1. When "
      "`check_board()` shows \"Fan: off\": call `toggle_pump()`. Expect \"Fan: "
      "on\".\n";
  const auto seen = play_toy(task_with({"Fan: off"}), {wrong});
  const auto& own = seen.made.muse.front();
  const auto& first = own.sub_tasks.front();
  CHECK(first.tries == 2);
  CHECK(first.met);
  REQUIRE(own.memory.size() >= 1);
  CHECK(own.memory.front().operation == "stuck on Fan: off");
  CHECK(own.memory.front().texts.front()
        == "When `check_board()` shows \"Fan: off\": call `toggle_fan()`.");
}

TEST_CASE("a line that resists and goes with another is a strategy") {
  // What is tried at the fan stops the heater, whose procedure mends both.
  const std::string memory =
      "# Application: board\n\n## on Fan: off\n\nSteps:\n1. When "
      "`check_board()` shows \"Fan: off\": call `toggle_heater()`. Expect "
      "\"Fan: on\".\n\n## on Heater: off\n\nSteps:\n1. When "
      "`check_board()` shows \"Heater: off\": call `toggle_fan()`, then "
      "`toggle_heater()`. Expect \"Heater: on\".\n";
  agent_options options;
  options.explore = false;
  const auto seen = play_toy(task_with({"Fan: off"}), {memory}, {}, options);
  const auto& own = seen.made.muse.front();
  for (const auto& sub : own.sub_tasks)
    UNSCOPED_INFO(sub.goal << ", tries " << sub.tries << ", met " << sub.met);
  const auto found = std::ranges::find_if(own.memory, [](const auto& entry) {
    return entry.store == memory_stores::strategic;
  });
  REQUIRE(found != own.memory.end());
  CHECK(found->name == "board stays");
}

TEST_CASE("without the verifier what was done counts as done") {
  const std::string wrong =
      "# Application: board\n\n## on Fan: off\n\nSteps:\n1. When "
      "`check_board()` shows \"Fan: off\": call `toggle_pump()`. Expect \"Fan: "
      "on\".\n";
  agent_options options;
  options.explore = false;
  const auto task = task_with({"Fan: off"});
  const auto checked = play_toy(task, {wrong}, {}, options);
  CHECK_FALSE(checked.made.muse.front().sub_tasks.front().met);
  muse_options how;
  how.verify = false;
  const auto trusting = play_toy(task, {wrong}, how, options);
  CHECK(trusting.made.muse.front().sub_tasks.front().met);
  CHECK(trusting.made.muse.front().sub_tasks.front().probes == 0);
}

TEST_CASE("an attempt without memory explores, and equal draws are equal") {
  const auto task = task_with({"Fan: off"});
  const auto one = play_toy(task, {});
  const auto other = play_toy(task, {});
  CHECK(one.made.steps == other.made.steps);
  CHECK(one.opened.empty());
  CHECK(std::ranges::any_of(one.made.steps, [](const auto& step) {
    return step.reason == "explore";
  }));
}

TEST_CASE("a document that is no memory's is refused") {
  const auto bench = make_toy_benchmark(device);
  auto env = std::move(*bench->make(bench->tasks().front().id));
  auto index = std::make_shared<kb_index>();
  index->documents.push_back(
      std::make_shared<const document>(make_document("# Board\n\nDo it.\n")));
  retrieval_session session{index, 3};
  const muse_agent agent{nullptr, {}, {}};
  job_context context{job_id{"j"}, 0, nullptr, methods::muse};
  const auto made =
      agent.attempt(bench->tasks().front(), *env, session, 1, context);
  REQUIRE_FALSE(made);
  CHECK(made.error().code == ec::malformed);
}

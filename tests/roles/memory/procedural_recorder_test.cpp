#include "learners/comparators/attempt_texts.hpp"
#include "messages/memory/comparator_steps.hpp"
#include "roles/memory/procedural_recorder.hpp"
#include "roles/procedural/rule_text.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

trajectory_step board_step(const std::string& tool, const std::string& shows,
                           bool changes = false) {
  return {"assistant", tool, "{}", shows, false, changes, {}};
}

recorded_attempt recorded_by(std::string_view arm, double reward,
                             const std::string& told = "The board is hot.",
                             const std::string& also = "") {
  memory_job job;
  job.id = {"j"};
  job.learner = arm;
  job.step = comparator_steps::record;
  job.texts = {{comparator_texts::task, told}};
  job.attempts = {{{"r"},
                   {board_step("check_board", "Fan: off\nDoor: shut" + also),
                    board_step("reset_board", "ok", true),
                    board_step("check_board", "Fan: on\nDoor: open")},
                   {},
                   {{reward, {}}}}};
  job_context context;
  const auto made = procedural_recorder{}.perform(job, {}, context);
  REQUIRE(made);
  CHECK(made->id == job.id);
  auto out = attempt_in(made->texts);
  REQUIRE(out);
  return std::move(*out);
}

const std::string both =
    "When `check_board()` shows \"Fan: off\" and `check_board()` shows \"Door: "
    "shut\": call `reset_board()`. Expect \"Fan: on\".";

} // namespace

TEST_CASE("a record of very long observations is one that a result can have") {
  std::string lines;
  for (int i = 0; i < 6'400; ++i)
    lines += "\nLamp " + std::to_string(i) + ": on";
  const auto made =
      recorded_by(comparators::a_mem, 1, "The board is hot.", lines);
  CHECK(made.seen.size() == 2'000);
  CHECK(texts_of_attempt(made).size() < 10'000);
}

TEST_CASE("a record says what was seen first, and what a call changed") {
  const auto made = recorded_by(comparators::a_mem, 1);
  CHECK(made.told == "The board is hot.");
  CHECK(made.tags == std::vector<std::string>{"check_board", "reset_board"});
  CHECK(made.seen
        == std::vector<std::string>{"check_board(): Fan: off",
                                    "check_board(): Door: shut"});
  CHECK(made.ended
        == std::vector<std::string>{"check_board(): Fan: on",
                                    "check_board(): Door: open"});
  REQUIRE(made.changes.size() == 1);
  CHECK(made.changes[0].before == made.seen);
  CHECK(made.changes[0].call == "reset_board()");
  CHECK(made.changes[0].after == "check_board(): Fan: on");
  CHECK(made.changes[0].sentence == both);
  CHECK(made.changes[0].kept);
}

TEST_CASE("an attempt that was not solved is recorded, and kept nothing") {
  const auto made = recorded_by(comparators::a_mem, 0);
  REQUIRE(made.changes.size() == 1);
  CHECK(made.changes[0].sentence == both);
  CHECK_FALSE(made.changes[0].kept);
}

TEST_CASE("for a graph each line that went is a change of its own") {
  const auto made = recorded_by(comparators::cognee, 1);
  REQUIRE(made.changes.size() == 2);
  CHECK(made.changes[1].before
        == std::vector<std::string>{"check_board(): Door: shut"});
  CHECK(made.changes[1].sentence
        == "When `check_board()` shows \"Door: shut\": call `reset_board()`. "
           "Expect \"Fan: on\".");
}

TEST_CASE("what a task says is no rule of its record") {
  const auto made = recorded_by(
      comparators::a_mem, 1,
      "1. When `check_board()` shows \"Fan: off\": call `wipe()`.\n- When "
      "`x()` shows \"y\": call `z()`.");
  REQUIRE(made.changes.size() == 1);
  CHECK(made.changes[0].sentence == both);
  auto solved = made;
  solved.solved = true;
  solved.seen.clear(); // nothing is usual
  const auto text = note_memory{{solved}}.documents().front();
  const auto rules = read_guidance(text).rules;
  REQUIRE(rules.size() == 1);
  CHECK(rules[0].text == both);
}

TEST_CASE("a record without a grade, and another step, are refused") {
  memory_job job;
  job.learner = comparators::a_mem;
  job.step = comparator_steps::evolve;
  job_context context;
  CHECK(procedural_recorder{}.perform(job, {}, context).error().code
        == ec::invalid_argument);
  job.step = comparator_steps::record;
  job.attempts = {{{"r"}, {}, {}, {}}};
  CHECK(procedural_recorder{}.perform(job, {}, context).error().code
        == ec::invalid_argument);
}

#include "learners/muse/usual_lines.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::muse;

namespace {

const std::string board = "check_board()";

insight_fact effect_of(std::string call, std::vector<std::string> before,
                       std::vector<std::string> after) {
  insight_fact out;
  out.kind = "effect";
  out.observation = board;
  out.actions = std::vector<std::string>{std::move(call)};
  out.before = std::move(before);
  out.after = std::move(after);
  return out;
}

/// Six tasks, of which one begins with the fan off and one with a stuck valve.
usual_lines six_tasks() {
  usual_lines out;
  for (int i = 0; i < 6; ++i)
    out.first_look("task-" + std::to_string(i),
                   {board,
                    {i == 0 ? "Fan: off" : "Fan: on",
                     i == 1 ? "Valve: stuck" : "Valve: loose", "Rod: in"}});
  return out;
}

std::vector<std::string> sentences(const usual_lines& of) {
  std::vector<std::string> out;
  for (const auto& one : of.procedures("board", {board}))
    out.push_back(one.texts.front());
  return out;
}

memory_operation rule(std::string text, std::string note) {
  return {.store = "procedural",
          .name = "board",
          .operation = "x",
          .preconditions = {},
          .texts = {std::move(text)},
          .notes = {std::move(note)}};
}

} // namespace

TEST_CASE("a way back to what is usual is a procedure, also in two steps") {
  auto lines = six_tasks();
  CHECK(sentences(lines).empty()); // no call is known
  lines.effect(effect_of("toggle_fan()", {"Fan: on"}, {"Fan: off"}));
  CHECK(sentences(lines).empty()); // not that way
  lines.effect(effect_of("toggle_fan()", {"Fan: off"}, {"Fan: on"}));
  lines.effect(effect_of("restart()", {"Valve: pending"}, {"Valve: loose"}));
  lines.effect(effect_of("release()", {"Valve: stuck"}, {"Valve: pending"}));
  CHECK(sentences(lines)
        == std::vector<std::string>{
            "When `check_board()` shows \"Fan: off\": call `toggle_fan()`. "
            "Expect \"Fan: on\".",
            "When `check_board()` shows \"Valve: pending\": call `restart()`. "
            "Expect \"Valve: loose\".",
            "When `check_board()` shows \"Valve: stuck\": call `release()`. "
            "Expect \"Valve: pending\"."});
}

TEST_CASE("what seldom works, and what follows from others, is no procedure") {
  auto lines = six_tasks();
  lines.effect(effect_of("kick()", {"Fan: off"}, {"Fan: on"}));
  lines.effect(effect_of("kick()", {"Fan: off"}, {"Fan: off"}));
  CHECK(sentences(lines).empty()); // one of two
  lines.effect(effect_of("toggle_fan()", {"Fan: off"}, {"Fan: on"}));
  CHECK(sentences(lines).size() == 1);
  lines.effect(effect_of("turn()", {"Fan: off"}, {"Fan: on"}));
  CHECK(sentences(lines).empty()); // three tools: a symptom

  // What a tool changes far more often is what it is for.
  auto other = six_tasks();
  other.effect(
      effect_of("pull()", {"Fan: off", "Rod: in"}, {"Fan: on", "Rod: out"}));
  CHECK(sentences(other).size() == 1);
  other.effect(effect_of("pull()", {"Rod: out"}, {"Rod: in"}));
  CHECK(sentences(other).empty());
}

TEST_CASE("the first attempt at a task says what it begins with") {
  usual_lines lines;
  for (int i = 0; i < 10; ++i)
    lines.first_look("one task", {board, {"Fan: off"}});
  for (int i = 0; i < 3; ++i)
    lines.first_look("task-" + std::to_string(i), {board, {"Fan: on"}});
  lines.effect(effect_of("toggle_fan()", {"Fan: off"}, {"Fan: on"}));
  CHECK(sentences(lines).size() == 1);
}

TEST_CASE("few grades are no reason to leave what is usual") {
  auto lines = six_tasks();
  lines.effect(effect_of("toggle_fan()", {"Fan: off"}, {"Fan: on"}));
  lines.effect(effect_of("pull()", {"Rod: out"}, {"Rod: in"}));
  const std::string off = "When `check_board()` shows \"Fan: on\": call `t()`.";
  CHECK(lines.leaves_usual(rule(off, "2 of 2 attempts with it"), {board}));
  CHECK(lines.leaves_usual(rule(off, "3 of 4 attempts with it"), {board}));
  CHECK_FALSE(lines.leaves_usual(rule(off, "3 of 3 attempts"), {board}));
  CHECK_FALSE(lines.leaves_usual(
      rule("When `check_board()` shows \"Fan: off\": call `t()`.", ""),
      {board}));
  // With which all tasks begin.
  CHECK(lines.leaves_usual(
      rule("When `check_board()` shows \"Rod: in\": call `pull()`.", ""),
      {board}));
}

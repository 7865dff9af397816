#include "report/rollout_text.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using Catch::Contains;

namespace {

found_rollout played() {
  found_rollout out;
  out.arm = "learned, mcts";
  out.titles = {{{"aaaaaaaaaaaa"}, "Roaming"}};
  auto& rollout = out.rollout;
  rollout.id = {"1f0c52aa"};
  rollout.task = {"no_data/1"};
  rollout.trial = 2;
  rollout.duration_us = 1500000;
  rollout.retrievals = {
      {0, "no data abroad", {{"aaaaaaaaaaaa"}, {"bbbbbbbbbb"}}},
      {2, "still none", {}}};
  rollout.steps = {
      {"assistant", "check", R"({"line":"L1","n":2})", "roaming: off\ndata: on",
       false, false, "look"},
      {"user", "toggle", "{}", "error: locked\x1b[2J", true, true, "rule"}};
  rollout.grade = {0.5, {{"roaming is on", false}, {"line is active", true}}};
  return out;
}

} // namespace

TEST_CASE("an attempt reads from top to bottom: reads, calls, answers, grade") {
  const auto text = rollout_text(played(), false);
  CHECK(text == R"(task     no_data/1
trial    3
under    learned, mcts
rollout  1f0c52aa
time     1.500 s
outcome  not solved, grade 0.500

       reads 2 documents for: no data abroad
       - aaaaaaaa  Roaming
       - bbbbbbbb
    1  check(line="L1", n=2)  [look]
       roaming: off
       data: on
    2  user: toggle()  [rule]  failed
       error: locked?[2J
       reads 0 documents for: still none

checks
  not met roaming is on
  met     line is active
)");
}

TEST_CASE("an attempt without a grade says why") {
  auto found = played();
  found.rollout.outcome = rollout_outcome::environment_error;
  found.rollout.error = "the desk is closed";
  found.rollout.steps.clear();
  found.rollout.retrievals.clear();
  found.arm.clear();
  CHECK_THAT(rollout_text(found, false),
             Contains("error    the desk is closed\n")
                 && Contains("no grade: the environment failed")
                 && Contains("under    the search")
                 && Contains("the agent did nothing"));
}

TEST_CASE("words and arguments that are no object show as they are") {
  auto found = played();
  found.rollout.steps = {{"assistant", "", "", "Is it on?", false, false, ""},
                         {"assistant", "odd", "not json", "", true, false, ""}};
  CHECK_THAT(rollout_text(found, false),
             Contains("    1  says\n       Is it on?\n")
                 && Contains("odd(not json)  failed"));
}

TEST_CASE("an attempt as JSON has its titles and no workbooks") {
  auto found = played();
  found.rollout.answers = {{1, true, "", "bytes"}};
  const auto out = rollout_json(found);
  CHECK(out["arm"] == "learned, mcts");
  CHECK(out["titles"]["aaaaaaaaaaaa"] == "Roaming");
  CHECK(out["rollout"]["steps"].size() == 2);
  CHECK(out["rollout"]["grade"]["reward"] == 0.5);
}

#include "run/report/report_page.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using Catch::Contains;

namespace {

/// A run over these tasks with two arms and one strategy.
run_summary compared(std::vector<std::string> ids, task_rewards without,
                     task_rewards with) {
  evaluation_record first{"no KB", "test", {}, std::move(without)};
  for (auto& id : ids)
    first.tasks.push_back({std::move(id)});
  auto second = first;
  second.name = "learned, mcts";
  second.rewards = std::move(with);
  run_summary out;
  out.run_id = "night";
  out.searches.emplace_back().strategy = "mcts";
  out.searches.back().gathers.emplace_back();
  out.arms = compare_arms({first, second}, 1);
  return out;
}

std::vector<std::string> many_ids() {
  std::vector<std::string> out;
  for (int i = 0; i < 20; ++i)
    out.push_back((i % 2 ? "data/" : "calls/") + std::to_string(i)
                  + (i % 3 ? "/apn+vpn" : "/sim"));
  return out;
}

} // namespace

TEST_CASE("the verdict says no more than the interval of the difference") {
  const task_rewards all(20, {1.0}), none(20, {0.0});
  CHECK_THAT(verdict_text(compared(many_ids(), none, all)),
             Contains("**The knowledge base of `mcts` helps:** success at "
                      "sealed tasks is 100.0 % with it, 0.0 % without (+100.0 "
                      "points"));
  CHECK_THAT(verdict_text(compared(many_ids(), all, none)), Contains("harms"));
  CHECK_THAT(verdict_text(compared(many_ids(), all, all)),
             Contains("is not shown to help"));
  // One of one proves nothing.
  CHECK_THAT(verdict_text(compared({"a"}, {{0}}, {{1}})),
             Contains("is not shown to help"));
  CHECK_THAT(verdict_text(compared({"a", "b"}, {{0}, {}}, {{}, {1}})),
             Contains("not known") && Contains("no task has a score in both"));
  CHECK_THAT(verdict_text(compared({"a", "b"}, {{0}, {}}, {{1}, {1}})),
             Contains("is not shown to help")
                 && Contains("0.0 % without (0.0 % and 50.0 % of the attempts "
                             "have no score); on the 1 of 2 tasks with a score "
                             "in both (+100.0 points"));
  CHECK_THAT(verdict_text({}), Contains("Nothing is known about success"));
}

TEST_CASE("a run that learns nothing says what its arms came to") {
  auto summary =
      compared(many_ids(), task_rewards(20, {0.0}), task_rewards(20, {1.0}));
  summary.searches.clear();
  summary.arms.back().record.name = "cognee-mechanism";
  CHECK_THAT(verdict_text(summary),
             Contains("**`cognee-mechanism` helps:** success at sealed tasks "
                      "is 100.0 % with it, 0.0 % without (+100.0 points"));
  for (const auto& step : next_steps(summary))
    CHECK_THAT(step, !Contains("kb list") && !Contains("brewery eval"));
  summary.arms.pop_back();
  CHECK_THAT(verdict_text(summary),
             Contains("**No knowledge was tried:** success at sealed tasks is "
                      "0.0 % with `no KB`."));
}

TEST_CASE("partial grades are not called success") {
  const auto summary =
      compared({"a/x", "a/y", "b/x"}, {{0}, {0}, {1}}, {{0.5}, {0.5}, {1}});
  const auto text = first_page(summary);
  CHECK_THAT(verdict_text(summary),
             Contains("the mean grade at sealed tasks is 66.7 % with it, "
                      "33.3 % without"));
  CHECK_THAT(text, Contains("## Mean grade by task group\n")
                       && Contains("Mean grade on split 'test'")
                       && !Contains("## Success"));
}

TEST_CASE("what no attempt was graded for is unknown") {
  const auto ids = many_ids();
  const task_rewards all(20, {1.0}), no_grade(20);
  const auto neither = compared(ids, no_grade, no_grade);
  CHECK_THAT(
      verdict_text(neither),
      Contains("is not known:** no attempt at sealed tasks was graded."));
  CHECK_THAT(verdict_text(compared(ids, all, no_grade)),
             Contains("no attempt at sealed tasks with it was graded"));
  CHECK_THAT(verdict_text(compared(ids, no_grade, all)),
             Contains("no attempt at sealed tasks without it was graded"));
  const auto text = first_page(neither);
  CHECK_THAT(text, !Contains(" 0.0 %") && !Contains("[0.0")
                       && Contains("| calls | 10 | unknown | unknown |\n")
                       && Contains("`brewery resume night` tries"));
}

TEST_CASE("commands name a run by its path where its id is not found") {
  CHECK(name_for_commands("/w/runs/night", "/w/runs") == "night");
  CHECK(name_for_commands("/w/here/../runs/night", "/w/runs/.") == "night");
  CHECK(name_for_commands("/srv/night", "/w/runs") == "/srv/night");
  CHECK(name_for_commands("/my runs/it's", "/w/runs") == "'/my runs/it'\\''s'");
  auto summary = compared({"a", "b"}, {{0}, {1}}, {{0}, {1}});
  summary.named = "/srv/night";
  for (const auto& step : next_steps(summary))
    CHECK_THAT(step, Contains(" /srv/night"));
}

TEST_CASE(
    "no other learner's run is told to evaluate its documents as BREW's") {
  auto summary = compared({"a", "b"}, {{0}, {1}}, {{0}, {1}});
  CHECK_THAT(next_steps(summary).front(), Contains("brewery eval night"));
  summary.searches.front().gathers.clear();
  CHECK_THAT(next_steps(summary).front(),
             !Contains("brewery eval") && Contains("narrow"));
}

TEST_CASE("the first page has the facts of the run") {
  auto summary =
      compared(many_ids(), task_rewards(20, {0.0}), task_rewards(20, {1.0}));
  summary.facts = {"2026-11-22 08:10 UTC",
                   "brewery 0.1.0",
                   "abcdef012345",
                   "toy: 3 train tasks",
                   "7",
                   "mcts",
                   "$0.42"};
  const auto text = first_page(summary);
  CHECK_THAT(text, Contains("| finished | 2026-11-22 08:10 UTC |\n")
                       && Contains("| program | brewery 0.1.0, commit "
                                   "abcdef012345 |\n")
                       && Contains("| seed | 7 |\n")
                       && Contains("| cost | $0.42 |\n"));
  // A build from a tarball knows no commit, a run without models has no cost.
  summary.facts.commit.clear();
  summary.facts.cost.clear();
  CHECK_THAT(first_page(summary), Contains("| program | brewery 0.1.0 |\n")
                                      && !Contains("| cost |"));
}

TEST_CASE("the first page tells success by group and by part of the tasks") {
  const auto text = first_page(
      compared(many_ids(), task_rewards(20, {0.0}), task_rewards(20, {1.0})));
  CHECK_THAT(text, Contains("| task group | tasks | no KB | learned, mcts |\n")
                       && Contains("| calls | 10 | 0.0 % | 100.0 % |\n")
                       && Contains("| vpn | 13 | 0.0 % | 100.0 % |\n"));
  CHECK_THAT(text, Contains("## Success by part of the task id\n"));
  CHECK_THAT(first_page(compared({"1", "2"}, {{0}, {0}}, {{1}, {0}})),
             !Contains("Success by"));
}

TEST_CASE("a table of groups has the largest ones and counts the others") {
  std::vector<std::string> ids;
  for (int i = 0; i < 40; ++i)
    ids.push_back("desk/" + std::to_string(i) + "/p" + std::to_string(i % 35));
  const auto text = first_page(
      compared(ids, task_rewards(40, {0.0}), task_rewards(40, {1.0})));
  for (int i = 0; i < 5; ++i)
    CHECK_THAT(text, Contains("| p" + std::to_string(i) + " | 2 |"));
  CHECK_THAT(text, !Contains("| p9 |")
                       && Contains("\nNot shown: 5 rows with the fewest "
                                   "tasks.\n"));
}

TEST_CASE("the next steps follow from the results") {
  const auto steps = [](const run_summary& summary) {
    std::string out;
    for (const auto& step : next_steps(summary))
      out += step + '\n';
    return out;
  };
  const task_rewards all(20, {1.0}), none(20, {0.0});
  CHECK_THAT(steps(compared(many_ids(), none, all)),
             Contains("kb export night") && !Contains("rollout show"));
  CHECK_THAT(steps(compared({"a b", "c"}, {{0}, {1}}, {{0}, {1}})),
             Contains("narrow the interval")
                 && Contains("`brewery rollout show night 'a b'` shows"));
  // Whatever a task is called, the command can be given to a shell.
  CHECK_THAT(steps(compared({"a';x`", "c"}, {{0}, {1}}, {{0}, {1}})),
             Contains("``brewery rollout show night 'a'\\'';x`'`` shows"));
  auto summary = compared(many_ids(), none, none);
  summary.arms.push_back(summary.arms.back());
  summary.arms.back().record.name = "learned, greedy";
  summary.arms.back().success.value = 0.5;
  CHECK_THAT(steps(summary), Contains("`strategies/greedy/kb`"));
  run_summary unmeasured;
  unmeasured.searches.emplace_back().strategy = "mcts";
  CHECK_THAT(steps(unmeasured), Contains("brewery eval"));
  CHECK_THAT(steps(compared({"a", "b"}, {{0}, {}}, {{1}, {1}})),
             Contains("Rollouts without a score, because the environment or a "
                      "model failed: 1.\n"));
}

TEST_CASE("what stands between backticks has fewer of them in a row") {
  CHECK(backticks_around("", 3) == "```");
  CHECK(backticks_around("a `` b", 3) == "```");
  CHECK(backticks_around(" ```\n+````", 3) == "`````");
}

TEST_CASE("a report lists replies that were no use as code") {
  auto summary = compared({"a", "b"}, {{0}, {0}}, {{1}, {1}});
  CHECK_THAT(first_page(summary), !Contains("Replies that were no use"));
  summary.notes = {{{"judge", "cut", 2, "said `no`"}, 2}};
  CHECK_THAT(first_page(summary),
             Contains("## Replies that were no use\n\n- `judge: 2 replies cut "
                      "off in 2 jobs; the first: said 'no'`\n"));
}

TEST_CASE("a report says why rollouts have no score") {
  auto summary = compared({"a", "b"}, {{0}, {}}, {{1}, {1}});
  summary.failure = "RuntimeError: `bulb` is broken";
  CHECK_THAT(first_page(summary),
             Contains("failed: 1. The first failure of the run: "
                      "`RuntimeError: 'bulb' is broken`.\n"));
  CHECK_THAT(summary_text(summary),
             Contains("reason     RuntimeError: `bulb` is broken\n"));
}

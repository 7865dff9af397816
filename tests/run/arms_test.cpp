#include "learners/shared_checks.hpp"
#include "run/arms.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using Catch::Contains;

namespace {

evaluation_record scored(const std::string& name, task_rewards rewards) {
  evaluation_record out{name, "test", {}, std::move(rewards)};
  for (std::size_t i = 0; i < out.rewards.size(); ++i)
    out.tasks.push_back({"t" + std::to_string(i)});
  return out;
}

} // namespace

TEST_CASE("each arm is compared to the first, task by task") {
  const auto arms = compare_arms({scored("no KB", {{0, 0}, {0, 1}, {0, 0}}),
                                  scored("mcts", {{1, 0}, {1, 1}, {0, 0}})},
                                 2);
  REQUIRE(arms.size() == 2);
  CHECK(arms[0].success.value == Approx(1.0 / 6));
  CHECK(arms[1].success.value == Approx(0.5));
  CHECK_FALSE(arms[0].difference);
  REQUIRE(arms[1].difference);
  CHECK(arms[1].difference->value == Approx(1.0 / 3));
  CHECK(arms[1].difference->low <= arms[1].difference->value);
  CHECK(arms[1].difference->high >= arms[1].difference->value);
}

TEST_CASE("a difference that cannot be paired is unknown, not zero") {
  const auto arms =
      compare_arms({scored("no KB", {{0}, {}}), scored("mcts", {{}, {1}})}, 1);
  CHECK_FALSE(arms[1].difference);
  CHECK_THAT(arms_text(arms), Contains("unknown"));
}

TEST_CASE("one broken attempt leaves the difference of the other tasks") {
  const auto arms = compare_arms({scored("no KB", {{0}, {}, {0}}), //
                                  scored("mcts", {{1}, {1}, {0}})},
                                 1);
  REQUIRE(arms[1].difference);
  CHECK(arms[1].difference->value == 0.5);
  CHECK_THAT(arms_text(arms), Contains("mcts: the difference is of the 2 of 3 "
                                       "tasks with a score in both rows\n"));
  CHECK(arm_json(arms[1])["difference_tasks"] == 2);
}

TEST_CASE("an arm without a grade is unknown, not certainly zero") {
  const auto arms =
      compare_arms({scored("no KB", {{}, {}}), scored("mcts", {{}, {}})}, 4);
  CHECK_FALSE(arms[1].difference);
  const auto text = arms_text(arms);
  CHECK_THAT(text, Contains("Success on split 'test' (2 tasks, 4 trials each)")
                       && Contains("mcts            unknown  100.0 %   -       "
                                   "       unknown\n")
                       && !Contains(" 0.0 %"));
  const auto shown = arm_json(arms[1]);
  CHECK_FALSE(shown.contains("interval"));
  for (const auto* number :
       {"success", "low", "high", "difference", "difference_low"})
    CHECK(shown[number].is_null());
}

TEST_CASE("what attempts without a score could hide is said for each arm") {
  const auto arms = compare_arms(
      {scored("no KB", {{1, 0}, {0, 0}}), scored("mcts", {{1}, {1, 0}})}, 2);
  CHECK(arms[1].success.value == Approx(0.75));
  CHECK(arms[1].unscored.count == 1);
  CHECK(arms[1].unscored.lowest == Approx(0.5));
  CHECK(arms[1].unscored.highest == Approx(0.75));
  CHECK_THAT(arms_text(arms),
             Contains("1 rollout has no score")
                 && Contains("mcts            75.0 %   25.0 %    [")
                 && Contains("no KB           0 of 4    25.0 to 25.0 %\n")
                 && Contains("mcts            1 of 4    50.0 to 75.0 %\n"));
  const auto shown = arm_json(arms[1]);
  CHECK(shown["ungraded_share"] == 0.25);
  CHECK(shown["success_lowest"] == 0.5);
  CHECK(shown["success_highest"] == 0.75);
  CHECK_THAT(arms_text({arms[0]}), Contains("no KB           25.0 %   0.0 %")
                                       && !Contains("no score (")
                                       && !Contains("0 of 4"));
}

TEST_CASE("no number of equal trials is a certainty") {
  const std::vector<double> none(4, 0.0), all(4, 1.0);
  const auto arms = compare_arms(
      {scored("no KB", {none}), scored("mcts", {all}), scored("x", {none})}, 4);
  const auto text = arms_text(arms);
  CHECK_THAT(text, !Contains("[0.0, 0.0]") && !Contains("[100.0, 100.0]"));
  CHECK(arms[0].success.high > 0.5);
  CHECK(arms[1].success.low < 0.5);
  // Nor is a difference between such arms.
  CHECK(arms[1].difference->low < arms[1].difference->value);
  CHECK(arms[2].difference->high > 0);
}

TEST_CASE("a table of partial grades says mean grade, and one task is a task") {
  const auto text = arms_text(compare_arms({scored("no KB", {{0.5}})}, 1));
  CHECK_THAT(text, Contains("Mean grade on split 'test' (1 task, 1 trial each)")
                       && Contains("knowledge base  mean grade")
                       && !Contains("Success"));
}

TEST_CASE("tables of results fit 80 columns") {
  std::vector<double> trials(8, 1.0);
  auto wide = scored(
      "learned, iterative",
      {trials, trials, {1, 0, 0, 0, 0, 0, 0, 1}, trials, trials, trials});
  wide.checks = {{"a check whose name is about as long as such names can be "
                  "once all arguments are in it",
                  1, 24}};
  const auto text = arms_text(compare_arms(
      {scored("no KB", {{0, 0}, {1, 1}, {0, 0}, {0}, {0}, {0}}), wide}, 8));
  CHECK_THAT(text, Contains("pass^8") && Contains("as such"));
  std::size_t begin = 0;
  for (auto end = text.find('\n'); end != std::string::npos;
       begin = end + 1, end = text.find('\n', begin))
    CHECK(end - begin <= 80);
  CHECK_THAT(text, !Contains("*")); // no Wilson interval, no legend
}

TEST_CASE("checks that all attempts had are counted, others are left out") {
  shared_checks checks;
  checks.add({1, {{"case 1", true}, {"own", true}, {"case 2", false}}});
  checks.add({0, {{"case 2", true}, {"case 1", false}, {"other", false}}});
  checks.add({0, {{"case 1", false}, {"case 2", true}, {"case 1", true}}});
  const auto shared = checks.take();
  REQUIRE(shared.size() == 2);
  CHECK(shared[0] == check_share{"case 1", 1, 3});
  CHECK(shared[1] == check_share{"case 2", 2, 3});
  CHECK(shared_checks{}.take().empty());
}

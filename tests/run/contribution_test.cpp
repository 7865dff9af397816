#include "run/evaluation/contribution.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

evaluation_record arm(const std::string& name, std::vector<task_id> tasks,
                      task_rewards rewards) {
  return {name, "test", std::move(tasks), std::move(rewards)};
}

} // namespace

TEST_CASE("the arm without a document is named by its concept") {
  CHECK(left_out_name({12}) == "without 12");
  CHECK(left_out_of("without 12") == concept_id{12});
  for (const auto* other : {"no KB", "without ", "without x", "without 1x",
                            "learned, mcts", "without 99999999999"})
    CHECK_FALSE(left_out_of(other));
}

TEST_CASE("measuring the documents again makes what was left out void") {
  CHECK(replaces("learned, mcts", "learned, mcts"));
  CHECK(replaces("learned, mcts", "without 3"));
  CHECK(replaces("without 3", "without 3"));
  CHECK_FALSE(replaces("without 3", "without 4"));
  CHECK_FALSE(replaces("without 3", "learned, mcts"));
  CHECK_FALSE(replaces("no KB", "learned, mcts"));
}

TEST_CASE("a contribution is paired by task, over tasks graded in both") {
  const auto whole = arm("learned, mcts", {{"a"}, {"b"}, {"c"}, {"d"}},
                         {{1, 1}, {1, 0}, {}, {0, 0}});
  const auto made = contribution_of(
      whole, arm("without 2", {{"b"}, {"a"}, {"c"}}, {{0, 0}, {1, 0}, {1}}));
  REQUIRE(made);
  CHECK(made->about == concept_id{2});
  CHECK(made->tasks == 2);
  CHECK(made->with == Approx(0.75));
  CHECK(made->without == Approx(0.25));
  CHECK(made->difference.value == Approx(0.5));
  CHECK_FALSE(contribution_of(whole, arm("without 2", {{"c"}}, {{1}})));
  CHECK_FALSE(contribution_of(whole, arm("without 2", {{"a"}}, {{}})));
}

TEST_CASE("documents stand in the order of what they contribute in sum") {
  const contribution much{{0}, "much | here", 30, 0.5, 0.3, {0.2, 0.1, 0.3}};
  const contribution steep{{1}, "steep", 2, 1, 0, {1, 0, 1}};
  const auto text = contributions_text({steep, much});
  CHECK(text.find("much \\| here") < text.find("steep"));
  CHECK(text.find("+20.0 [10.0, 30.0]") != std::string::npos);
  CHECK(contributions_text({}).empty());
}

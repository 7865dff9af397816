#include "report/compare/comparison.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

measured_run run(const std::string& name, std::uint64_t seed,
                 task_rewards rewards, const std::string& data = "d1") {
  measured_run out{.name = name,
                   .seed = seed,
                   .benchmark = "desk",
                   .data = data,
                   .trials = 2,
                   .arm = {}};
  for (std::size_t i = 0; i < rewards.size(); ++i)
    out.arm.tasks.push_back({"t" + std::to_string(i)});
  out.arm.rewards = std::move(rewards);
  return out;
}

run_group alone(measured_run one) {
  const auto name = one.name;
  return {name, {std::move(one)}};
}

} // namespace

TEST_CASE("two runs are paired by task, in what both have graded") {
  const auto made = compare({alone(run("a", 1, {{1, 1}, {0, 0}, {}})),
                             alone(run("b", 2, {{1, 1}, {1, 0}, {1, 1}}))});
  REQUIRE(made);
  const auto& first = made->contenders[0];
  const auto& second = made->contenders[1];
  CHECK(first.score->value == 0.5);
  CHECK_FALSE(first.difference);
  CHECK(second.score->value == Approx(2.5 / 3));
  REQUIRE(second.difference);
  CHECK(second.difference->value == Approx(0.25));
  CHECK(second.paired_tasks == 2);
  CHECK(first.unscored.count == 2);
  CHECK(first.unscored.of == 6);
  CHECK(made->whole_grades);
}

TEST_CASE("runs of several seeds are paired with those of the same seed") {
  const run_group narrow{"narrow",
                         {run("n1", 1, {{0}, {0}}), run("n2", 2, {{1}, {1}})}};
  const run_group wide{"wide",
                       {run("w2", 2, {{1}, {1}}), run("w1", 1, {{1}, {0}}),
                        run("w3", 3, {{0}, {0}})}};
  const auto made = compare({narrow, wide});
  REQUIRE(made);
  const auto& second = made->contenders[1];
  CHECK(second.paired_runs == 2);
  CHECK(second.paired_tasks == 2);
  CHECK(second.tasks == 2);
  CHECK(second.difference->value == Approx(0.25));
  CHECK(second.score->value == Approx(0.5));
}

TEST_CASE("contenders without a seed in common have no difference") {
  const run_group a{"a", {run("a1", 1, {{0}}), run("a2", 2, {{0}})}};
  const run_group b{"b", {run("b3", 3, {{1}}), run("b4", 4, {{1}})}};
  const auto made = compare({a, b});
  REQUIRE(made);
  CHECK_FALSE(made->contenders[1].difference);
  CHECK(comparison_text(*made).find("unknown") != std::string::npos);
  CHECK(comparison_json(*made)["contenders"][1]["difference"].is_null());
}

TEST_CASE("what cannot be compared is refused with the names of the runs") {
  auto other = run("b", 1, {{1}});
  other.benchmark = "sheets";
  CHECK(compare({alone(run("a", 1, {{1}})), alone(other)}).error().message
        == "compare: a is a run of desk, b of sheets");
  CHECK(compare({alone(run("a", 1, {{1}})), alone(run("b", 1, {{1}}, "d2"))})
            .error()
            .message.find("b and a measured other data (d2 and d1)")
        != std::string::npos);
  const run_group twice{"twice", {run("x", 1, {{1}}), run("y", 1, {{1}})}};
  CHECK(compare({alone(run("a", 1, {{1}})), twice}).error().message
        == "compare: x and y of \"twice\" are both of seed 1");
  CHECK(compare({twice}).error().message
        == "compare: x and y of \"twice\" are both of seed 1");
}

TEST_CASE("tasks of other data with the same names are other tasks") {
  const run_group seeds{
      "seeds", {run("a", 1, {{1}, {0}}, "d1"), run("b", 2, {{1}, {0}}, "d2")}};
  const auto made = compare({seeds});
  REQUIRE(made);
  CHECK(made->contenders[0].tasks == 4);
}

TEST_CASE("a name is not broken where lines may be as long as they are") {
  std::string name = "a";
  for (int i = 0; i < 40; ++i)
    name += " name";
  const auto made = compare({alone(run(name, 1, {{1, 1}, {0, 0}}))});
  REQUIRE(made);
  CHECK(comparison_text(*made).find(name) != std::string::npos);
  CHECK(comparison_text(*made, 100).find(name) == std::string::npos);
}

TEST_CASE("without a grade there is no score, and the table says so") {
  const auto made = compare({alone(run("a", 1, {{}, {}}))});
  REQUIRE(made);
  CHECK_FALSE(made->contenders[0].score);
  const auto text = comparison_text(*made);
  CHECK(text.find("unknown") != std::string::npos);
  CHECK(text.find("a: 4 of 4 attempts have no score; if they counted as 0 or "
                  "as 1, it would have 0.0 to 100.0 %")
        != std::string::npos);
}

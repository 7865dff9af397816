#include "search/evaluation.hpp"
#include "search/options.hpp"
#include "search/report.hpp"
#include "tests/search/support.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <tuple>
#include <vector>

using namespace brewery;
using namespace brewery::test;

TEST_CASE("the reward weighs correctness and retrieval") {
  CHECK(combine({0.5, 0.5}, 0.8, 0.4) == Approx(0.6));
  CHECK(combine({1.0, 0.0}, 0.8, 0.4) == 0.8);
  CHECK(combine({0.0, 1.0}, 0.8, 0.4) == 0.4);
}

TEST_CASE("weights are in [0, 1] and add up to 1") {
  CHECK(validate(reward_weights{0.5, 0.5}));
  CHECK(validate(reward_weights{0.7, 0.3}));
  CHECK(validate(reward_weights{1.0, 0.0}));
  CHECK_FALSE(validate(reward_weights{0.5, 0.6}));
  CHECK_FALSE(validate(reward_weights{1.5, -0.5}));
  CHECK_FALSE(validate(reward_weights{std::nan(""), 1.0}));
  const auto bad = validate(reward_weights{0.5, 0.25});
  CHECK(bad.error().message.find("retrieval = 0.25") != std::string::npos);
}

TEST_CASE("the reciprocal rank of a missing document is 0") {
  CHECK(reciprocal_rank(0) == 0.0);
  CHECK(reciprocal_rank(1) == 1.0);
  CHECK(reciprocal_rank(4) == 0.25);
}

TEST_CASE("options outside their range are refused by name") {
  CHECK(validate(search_options{}));
  const auto refused = [](auto change, const char* name) {
    search_options options;
    change(options);
    const auto checked = validate(options);
    REQUIRE_FALSE(checked);
    CHECK(checked.error().code == ec::invalid_argument);
    CHECK(checked.error().message.find(name) != std::string::npos);
  };
  search_options least;
  least.candidates = least.max_width = least.max_depth = 1;
  least.exploration = 0;
  CHECK(validate(least));
  refused([](auto& o) { o.candidates = 0; }, "search.candidates");
  refused([](auto& o) { o.max_width = 0; }, "search.max_width");
  refused([](auto& o) { o.max_depth = 0; }, "search.max_depth");
  refused([](auto& o) { o.exploration = -1; }, "search.exploration");
  refused([](auto& o) { o.exploration = INFINITY; }, "search.exploration");
  refused([](auto& o) { o.weights.retrieval = 0.9; }, "retrieval");
}

TEST_CASE("strategies have names, a wrong one gets the nearest") {
  for (const auto how :
       {strategy::mcts, strategy::greedy, strategy::iterative}) {
    const auto parsed = parse_strategy(to_string(how));
    REQUIRE(parsed);
    CHECK(*parsed == how);
  }
  const auto wrong = parse_strategy("greddy");
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().message.find("did you mean 'greedy'")
        != std::string::npos);
}

namespace {

pending_evaluation three_queries() {
  return {{"eval"}, {{{"a"}, 1.0}, {{"b"}, 0.5}, {{"c"}, 0.0}}};
}

} // namespace

TEST_CASE("an evaluation is the mean over its queries") {
  auto pending = three_queries();
  CHECK(pending.missing() == 3);
  CHECK(pending.absorb({"b"}, 0.0));
  CHECK(pending.absorb({"a"}, 1.0));
  CHECK_FALSE(pending.finish({}, 0));
  CHECK(pending.absorb({"c"}, 1.0));
  REQUIRE(pending.complete());
  const auto done = pending.finish({}, 0);
  REQUIRE(done);
  CHECK(done->id == evaluation_id{"eval"});
  CHECK(done->correctness == Approx(2.0 / 3));
  CHECK(done->retrieval == Approx(0.5));
  CHECK(done->reward == Approx((2.0 / 3 + 0.5) / 2));
  CHECK(done->evaluated == 3);
}

TEST_CASE("duplicate and unknown results are no-ops") {
  auto pending = three_queries();
  CHECK(pending.absorb({"a"}, 1.0));
  CHECK_FALSE(pending.absorb({"a"}, 0.0));
  CHECK_FALSE(pending.give_up({"a"}));
  CHECK_FALSE(pending.absorb({"unknown"}, 1.0));
  CHECK(pending.missing() == 2);
}

TEST_CASE("a broken environment is not a score of 0") {
  auto pending = three_queries();
  pending.absorb({"a"}, 1.0);
  pending.absorb({"b"}, 1.0);
  CHECK(pending.give_up({"c"}));
  CHECK_FALSE(pending.absorb({"c"}, 0.0));
  const auto done = pending.finish({}, 0);
  REQUIRE(done);
  CHECK(done->correctness == 1.0);
  CHECK(done->evaluated == 2);
  CHECK(done->retrieval == Approx(0.5)); // ranks need no rollout
}

TEST_CASE("a version needs its share of graded rollouts to be compared") {
  for (const auto& [graded, share, counts] :
       std::vector<std::tuple<int, double, bool>>{{3, 1, true},
                                                  {2, 0.75, false},
                                                  {2, 2.0 / 3, true},
                                                  {1, 0.5, false},
                                                  {1, 0, true},
                                                  {0, 0, false}}) {
    INFO(graded << " of 3, " << share);
    auto pending = three_queries();
    int left = graded;
    for (const char* job : {"a", "b", "c"})
      if (left-- > 0)
        pending.absorb({job}, 1.0);
      else
        pending.give_up({job});
    CHECK(pending.finish({}, share).has_value() == counts);
  }
}

TEST_CASE("a share of graded rollouts is met where it is met exactly") {
  constexpr std::size_t count = 25;
  for (const std::size_t graded : {13U, 14U}) { // 0.56 of 25 are 14
    std::vector<evaluation_query> queries;
    for (std::size_t i = 0; i < count; ++i)
      queries.push_back({{std::to_string(i)}, 1.0});
    pending_evaluation pending{{"e"}, queries};
    CHECK(pending.may_finish(0.56)); // all may be graded
    for (std::size_t i = count; i-- > 0;) {
      if (i < graded)
        pending.absorb(queries[i].job, 1);
      else
        pending.give_up(queries[i].job);
      CHECK(pending.may_finish(0.56) == (i >= graded ? i >= 14 : graded == 14));
    }
    CHECK(pending.finish({1, 0}, 0.56).has_value() == (graded == 14));
  }
}

TEST_CASE("without a graded rollout there is no evaluation") {
  auto pending = three_queries();
  for (const char* job : {"a", "b", "c"})
    pending.give_up({job});
  CHECK(pending.complete());
  CHECK_FALSE(pending.finish({}, 0));
  const pending_evaluation empty{{"eval"}, {}};
  CHECK(empty.complete());
  CHECK_FALSE(empty.finish({}, 0));
}

TEST_CASE("the rank of what the agent really asked counts") {
  auto pending = three_queries();
  CHECK(pending.expects({"a"}));
  CHECK_FALSE(pending.expects({"z"}));
  CHECK(pending.absorb({"a"}, 1.0, 0.25));
  CHECK_FALSE(pending.expects({"a"}));
  CHECK(pending.absorb({"b"}, 1.0));
  pending.give_up({"c"}); // nobody asked: the rank it was given
  const auto done = pending.finish({}, 0);
  REQUIRE(done);
  CHECK(done->retrieval == Approx((0.25 + 0.5 + 0.0) / 3));
}

TEST_CASE("a rank that nobody knows is left out of the mean") {
  pending_evaluation pending{{"eval"}, {{{"a"}}, {{"b"}}, {{"c"}}, {{"d"}}}};
  CHECK(pending.absorb({"a"}, 1.0, 0.5));
  CHECK(pending.absorb({"b"}, 0.0, 0.0));
  CHECK(pending.give_up({"c"}, 1.0)); // it broke, but was ranked
  CHECK(pending.give_up({"d"}));
  const auto done = pending.finish({}, 0);
  REQUIRE(done);
  CHECK(done->retrieval == 0.5);
  CHECK(done->correctness == 0.5);
}

TEST_CASE("the order of arrival changes no bit of an evaluation") {
  const auto seed = GENERATE(range(1, 11));
  INFO("seed " << seed);
  rng draw{rng_key(static_cast<std::uint64_t>(seed), "arrival")};
  std::vector<evaluation_query> queries;
  std::vector<std::pair<job_id, double>> grades;
  for (int i = 0; i < 20; ++i) {
    queries.push_back({{std::to_string(i)}, draw.uniform()});
    grades.emplace_back(queries.back().job, draw.uniform());
  }
  const auto evaluate = [&] {
    pending_evaluation pending{{"eval"}, queries};
    for (const auto& [job, grade] : grades)
      pending.absorb(job, grade);
    return pending.finish({}, 0)->reward;
  };
  const double once = evaluate();
  draw.shuffle(grades);
  CHECK(evaluate() == once);
}

TEST_CASE("a record shows the node's statistics") {
  tree t = evaluated_root(0.2);
  const auto child = t.add_child(tree::root(), hash_of(5), 4);
  t.absorb(child.id, {{"x"}, 0.6, 0.8, 0.4, 10});
  const auto records = records_of(t);
  REQUIRE(records.size() == 2);
  CHECK(records[0].parent == node_id{0});
  CHECK(records[0].visits == 2);
  CHECK(records[0].value == Approx(0.4));
  CHECK(records[1].id == child.id);
  CHECK(records[1].hash == hash_of(5));
  CHECK(records[1].iteration == 4);
  CHECK(records[1].depth == 1);
  CHECK(records[1].reward == 0.6);
  CHECK(records[1].correctness == 0.8);
  CHECK(records[1].retrieval == 0.4);
  CHECK(records[1].evaluated == 10);
}

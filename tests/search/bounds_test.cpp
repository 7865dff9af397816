#include "search/bounds.hpp"
#include "search/evaluation.hpp"
#include "tests/search/support.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

using namespace brewery;
using namespace brewery::test;

namespace {

const reward_weights even{0.5, 0.5};

std::vector<evaluation_query> queries_of(std::size_t count, rng& draw) {
  std::vector<evaluation_query> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back({{"job" + std::to_string(i)},
                   reciprocal_rank(std::size_t{draw.below(4)})});
  return out;
}

/// Grades in quarters, so that ties are common.
double grade_of(rng& draw) {
  return static_cast<double>(draw.below(5)) / 4;
}

} // namespace

TEST_CASE("open rollouts count as failed at least and as solved at most") {
  pending_evaluation pending{{"e"}, {{{"a"}, 1}, {{"b"}, 0.5}, {{"c"}, 0}}};
  const auto known = [&](bool ranks_known) {
    return pending.interval(even, ranks_known);
  };
  CHECK(known(true).retrieval == bounds{0.5, 0.5});
  CHECK(known(true).correctness == bounds{0, 1});
  CHECK(known(true).reward == bounds{0.25, 0.75});
  CHECK(known(false).retrieval == bounds{0, 1});
  pending.absorb({"a"}, 0);
  CHECK(known(true).correctness.most == Approx(2.0 / 3));
  CHECK(known(false).retrieval.least == Approx(1.0 / 3));
  pending.give_up({"b"}); // no grade, but its rank counts
  CHECK(known(true).correctness == bounds{0, 0.5});
  CHECK(known(false).retrieval.least == 0.5);
  pending.absorb({"c"}, 1, 1.0);
  CHECK(known(false).reward.least == known(false).reward.most);
  CHECK(known(false).reward.most == pending.finish(even, 0)->reward);
}

TEST_CASE("a full reward is never outside of its bounds, not by a bit") {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    INFO("seed " << seed);
    rng draw{rng_key(seed, "interval")};
    const double weight = draw.uniform();
    const reward_weights weights{weight, 1 - weight};
    const auto count = 1 + draw.below(20);
    const auto queries = queries_of(count, draw);
    pending_evaluation pending{{"e"}, queries};
    std::vector<job_id> order;
    for (const auto& query : queries)
      order.push_back(query.job);
    std::vector<reward_interval> looks;
    const bool same_ranks = draw.below(2) == 0;
    while (!order.empty()) {
      looks.push_back(pending.interval(weights, same_ranks));
      const auto at = draw.below(order.size());
      const auto rank =
          same_ranks ? std::optional<double>{} : std::optional{draw.uniform()};
      pending.absorb(order[at], draw.uniform(), rank);
      order.erase(order.begin() + static_cast<std::ptrdiff_t>(at));
    }
    const auto full = pending.finish(weights, 1);
    REQUIRE(full);
    for (std::size_t i = 0; i < looks.size(); ++i) {
      CHECK(looks[i].reward.least <= full->reward);
      CHECK(looks[i].reward.most >= full->reward);
      if (i == 0) continue;
      CHECK(looks[i].reward.least >= looks[i - 1].reward.least);
      CHECK(looks[i].reward.most <= looks[i - 1].reward.most);
    }
  }
}

TEST_CASE("no answers to a wave leave more than if all of it succeeds") {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    INFO("seed " << seed);
    rng draw{rng_key(seed, "wave")};
    const double weight = draw.uniform();
    const reward_weights weights{weight, 1 - weight};
    const bool same_ranks = draw.below(2) == 0;
    const auto queries = queries_of(1 + draw.below(12), draw);
    pending_evaluation pending{{"e"}, queries};
    const auto answer = [&](std::size_t at) {
      const auto rank =
          same_ranks ? std::optional<double>{} : std::optional{grade_of(draw)};
      if (draw.below(4) == 0)
        pending.give_up(queries[at].job, rank);
      else
        pending.absorb(queries[at].job, grade_of(draw), rank);
    };
    std::set<std::size_t> wave;
    for (std::size_t at = 0; at < queries.size(); ++at)
      if (const auto what = draw.below(3); what == 0)
        answer(at);
      else if (what == 1)
        wave.insert(at);
    const auto most = pending.least_at_best(wave, weights, same_ranks);
    CHECK(most >= pending.interval(weights, same_ranks).reward.least);
    for (const auto at : wave)
      answer(at);
    CHECK(pending.interval(weights, same_ranks).reward.least <= most);
  }
}

TEST_CASE("a candidate stops if another is better whatever comes") {
  tree t = evaluated_root(0.6);
  const auto names = [&](const std::vector<contender>& running) {
    std::vector<std::uint32_t> out;
    for (const auto id : beaten(running, t))
      out.push_back(id.value);
    return out;
  };
  using list = std::vector<std::uint32_t>;
  CHECK(names({{{1}, {0.1, 0.7}}, {{2}, {0.2, 0.5}}}) == list{2});
  CHECK(names({{{1}, {0.1, 0.6}}}) == list{1}); // a tie goes to the root
  CHECK(names({{{1}, {0.7, 0.9}}, {{2}, {0.2, 0.7}}}) == list{2});
  CHECK(names({{{1}, {0.2, 0.7}}, {{2}, {0.7, 0.9}}}).empty());
  CHECK(names({{{1}, {0.7, 0.7}}, {{2}, {0.7, 0.7}}}) == list{2});
}

TEST_CASE("what is stopped is never the best version") {
  std::size_t stopped = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    INFO("seed " << seed);
    rng draw{rng_key(seed, "beaten")};
    tree t = evaluated_root(grade_of(draw), {9, 3});
    const auto count = 1 + draw.below(6);
    std::vector<contender> running;
    std::vector<double> grades(count * 5);
    for (auto& grade : grades)
      grade = grade_of(draw);
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto made = t.add_child(tree::root(), hash_of(10 + i), 1);
      std::vector<query_bounds> queries(5);
      for (std::size_t q = 0; q < queries.size(); ++q)
        if (draw.below(3) > 0)
          queries[q].grade = {grades[i * 5 + q], grades[i * 5 + q]};
      running.push_back({made.id, interval_of(queries, {1, 0}).reward});
    }
    const auto out = beaten(running, t);
    for (std::uint32_t i = 0; i < count; ++i) {
      double sum = 0;
      for (std::size_t q = 0; q < 5; ++q)
        sum += grades[i * 5 + q];
      t.absorb(running[i].id, scored(sum / 5));
    }
    CHECK(std::find(out.begin(), out.end(), *t.best()) == out.end());
    stopped += out.size();
    all += count;
  }
  INFO(stopped << " of " << all << " stopped");
  CHECK(stopped * 10 > all);
}

TEST_CASE("tasks that lost most come first") {
  hardness learned;
  CHECK(learned.order(3) == std::vector<std::size_t>{0, 1, 2});
  for (const double grade : {1.0, 0.0})
    learned.add(2, grade);
  learned.add(1, 0.75);
  learned.add(3, 0.5);
  const std::vector<std::size_t> expected{2, 3, 1, 0, 4};
  CHECK(learned.order(5) == expected);
  CHECK(hardness::restored(learned.lost(), learned.played()).order(5)
        == expected);
}

TEST_CASE("a tree keeps a stopped evaluation as a bound until it is full") {
  tree t = evaluated_root(0.5);
  const node_id id = t.add_child(tree::root(), hash_of(1), 1).id;
  evaluation stopped = scored(0.6);
  stopped.least = 0.2;
  REQUIRE(t.absorb(id, stopped));
  CHECK(t.at(id).bounded());
  CHECK(t.at(id).reward == 0.6);
  CHECK(t.at(id).least == 0.2);
  CHECK(t.at(tree::root()).value() == Approx(0.55)); // with the bound
  CHECK(t.best() == tree::root()); // only a full evaluation can be the best
  CHECK(undecided_best(t) == std::vector<node_id>{id});
  CHECK(t.lowest().at(tree::root()).value() == Approx(0.35));
  const auto again = tree::restored(t.nodes(), t.limits());
  REQUIRE(again);
  CHECK(again->at(id).least == 0.2);
  tree without = t;
  without.withdraw(id, {"first"});
  CHECK_FALSE(without.at(id).evaluated());
  REQUIRE(t.absorb(id, scored(0.4)));
  CHECK_FALSE(t.at(id).bounded());
  CHECK_FALSE(t.absorb(id, stopped)); // too late
  t.withdraw(id, {"first"});
  CHECK(t.at(id).reward == 0.4);
  CHECK(t.at(tree::root()).value() == Approx(0.45));
  CHECK(undecided_best(t).empty());
}

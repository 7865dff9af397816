#include "base/rng.hpp"
#include "search/barrier.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace brewery;

namespace {

constexpr std::uint32_t last = 4;

std::vector<doc_ref> roots(std::uint32_t trees) {
  std::vector<doc_ref> out;
  for (std::uint32_t k = 0; k < trees; ++k)
    out.push_back({{k}, {"root " + std::to_string(k)}});
  return out;
}

/// What a tree reports depends on the iteration and on the tree only.
expand_report report(std::uint32_t tree, std::uint32_t iteration) {
  expand_report out;
  out.concept_ref = {tree};
  out.iteration = iteration;
  out.best.hash = {"doc " + std::to_string(tree) + "/"
                   + std::to_string(iteration)};
  out.best.reward = 0.125 * tree + iteration;
  out.best.evaluated = 1;
  return out;
}

/// Trees that work at a seeded pace: a tree begins an iteration as soon as it
/// has reported the one before and that barrier is closed.
struct slow_trees {
  gather_barrier barrier;
  std::vector<std::uint32_t> next; ///< iteration a tree is at
  rng draw;
  std::vector<gather_record> closed{};
  std::uint32_t worst_lag = 0;

  slow_trees(std::uint32_t trees, double share, std::uint64_t seed,
             const std::vector<gather_record>& recorded = {})
      : barrier{roots(trees), share, last, recorded},
        next(trees, 0), draw{rng_key(seed, "crowd")} {}

  std::vector<std::uint32_t> able() const {
    std::vector<std::uint32_t> out;
    for (std::uint32_t k = 0; k < next.size(); ++k)
      if (next[k] <= barrier.iteration()) out.push_back(k);
    return out;
  }

  void run() {
    while (!barrier.over()) {
      const auto trees = able();
      REQUIRE_FALSE(trees.empty()); // else it would wait for ever
      // The last ones are slow: they are drawn less often.
      auto tree = trees[draw.below(trees.size())];
      tree = std::min(tree, trees[draw.below(trees.size())]);
      REQUIRE(barrier.take(report(tree, next[tree])));
      CHECK_FALSE(barrier.take(report(tree, next[tree]))); // not twice
      ++next[tree];
      if (auto record = barrier.close()) closed.push_back(std::move(*record));
      for (const auto at : next)
        if (at < barrier.iteration())
          worst_lag = std::max(worst_lag, barrier.iteration() - at);
    }
  }
};

} // namespace

TEST_CASE("a quorum is the share of the trees, rounded up, one to all") {
  const struct {
    double share;
    std::size_t trees, expected;
  } rows[] = {{1, 7, 7},      {0.5, 4, 2},  {0.5, 5, 3},   {0.8, 5, 4},
              {0.81, 5, 5},   {0.01, 5, 1}, {0.1, 30, 3},  {0.3, 10, 3},
              {0.95, 20, 19}, {0.7, 10, 7}, {1e-12, 3, 1}, {1, 0, 0}};
  for (const auto& row : rows) {
    INFO(row.share << " of " << row.trees);
    CHECK(quorum_of(row.share, row.trees) == row.expected);
  }
}

TEST_CASE("a full barrier waits for every tree and has nothing late to tell") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    INFO("seed " << seed);
    slow_trees all{5, 1, seed};
    all.run();
    REQUIRE(all.closed.size() == last + 1);
    CHECK(all.worst_lag == 0);
    for (std::uint32_t t = 0; t <= last; ++t) {
      const auto& record = all.closed[t];
      CHECK(record.iteration == t);
      CHECK(record.late.empty());
      CHECK(record.folded.empty());
      REQUIRE(record.reports.size() == 5);
      for (std::uint32_t k = 0; k < 5; ++k) {
        CHECK(record.reports[k] == report(k, t));
        CHECK(record.current[k] == doc_ref{{k}, report(k, t).best.hash});
      }
    }
  }
}

TEST_CASE("with a quorum the barrier closes at the quorum, the last with all") {
  gather_barrier barrier{roots(4), 0.5, 1};
  CHECK(barrier.waiting_for() == 2);
  REQUIRE(barrier.take(report(3, 0)));
  CHECK_FALSE(barrier.close());
  REQUIRE(barrier.take(report(1, 0)));
  const auto first = barrier.close();
  REQUIRE(first);
  CHECK(first->late == std::vector<concept_id>{{0}, {2}});
  CHECK(first->reports == std::vector{report(1, 0), report(3, 0)});
  // A late tree's document stays the one gathered last: here its root.
  CHECK(first->current
        == std::vector<doc_ref>{
            roots(4)[0], {{1}, {"doc 1/0"}}, roots(4)[2], {{3}, {"doc 3/0"}}});
  // Iteration 1 is the last: all its reports, and the two that are late.
  CHECK(barrier.waiting_for() == 6);
  for (const auto tree : {0u, 1u, 2u, 3u}) {
    if (first->late[tree / 2].value == tree)
      REQUIRE(barrier.take(report(tree, 0)));
    CHECK_FALSE(barrier.close());
    REQUIRE(barrier.take(report(tree, 1)));
  }
  const auto second = barrier.close();
  REQUIRE(second);
  CHECK(second->folded == std::vector{report(0, 0), report(2, 0)});
  CHECK(second->late.empty());
  for (std::uint32_t k = 0; k < 4; ++k)
    CHECK(second->current[k].hash == report(k, 1).best.hash);
  CHECK(barrier.over());
  CHECK_FALSE(barrier.take(report(0, 1)));
}

TEST_CASE("the next barrier waits for who was late, quorum or not") {
  gather_barrier barrier{roots(3), 0.5, last};
  REQUIRE(barrier.take(report(0, 0)));
  REQUIRE(barrier.take(report(1, 0)));
  REQUIRE(barrier.close());
  REQUIRE(barrier.take(report(0, 1)));
  REQUIRE(barrier.take(report(1, 1)));
  CHECK_FALSE(barrier.close()); // tree 2 still is at iteration 0
  CHECK(barrier.waiting_for() == 1);
  CHECK_FALSE(barrier.take(report(2, 1))); // which cannot be before
  REQUIRE(barrier.take(report(2, 0)));
  const auto record = barrier.close();
  REQUIRE(record);
  CHECK(record->folded == std::vector{report(2, 0)});
  CHECK(record->late == std::vector<concept_id>{{2}}); // again, by one
  CHECK(record->current[2].hash == report(2, 0).best.hash);
}

TEST_CASE("whatever the pace, no tree is more than one iteration behind") {
  std::size_t late = 0;
  for (const double share : {0.2, 0.5, 0.8})
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      INFO("share " << share << ", seed " << seed);
      slow_trees all{5, share, seed};
      all.run();
      CHECK(all.worst_lag <= 1);
      REQUIRE(all.closed.size() == last + 1);
      std::vector<concept_id> were_late;
      std::size_t reports = 0;
      for (const auto& record : all.closed) {
        // Who was late is folded in at the very next barrier, in order.
        std::vector<concept_id> folded;
        for (const auto& item : record.folded) {
          CHECK(item.iteration + 1 == record.iteration);
          folded.push_back(item.concept_ref);
        }
        CHECK(folded == were_late);
        were_late = record.late;
        CHECK(record.reports.size() + record.late.size() == 5);
        CHECK(record.reports.size() >= quorum_of(share, 5));
        reports += record.reports.size() + record.folded.size();
      }
      CHECK(were_late.empty());
      CHECK(reports
            == 5 * (std::size_t{last} + 1)); // none is lost, none counts twice
      late += count_late(all.closed);
    }
  CHECK(late > 500);
}

TEST_CASE("a record depends on who was late, not on when reports came") {
  std::size_t other_durations = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    slow_trees recorded{6, 0.5, seed};
    recorded.run();
    for (std::uint64_t pace = 1; pace <= 5; ++pace) {
      INFO("seed " << seed << ", resumed at pace " << pace);
      slow_trees fresh{6, 0.5, 1000 + pace};
      fresh.run();
      other_durations += fresh.closed != recorded.closed;
      slow_trees resumed{6, 0.5, 1000 + pace, recorded.closed};
      resumed.run();
      CHECK(resumed.closed == recorded.closed);
      CHECK(resumed.worst_lag <= 1);
    }
  }
  CHECK(other_durations > 0); // without the record it would have differed
}

TEST_CASE("barriers after those on record are decided anew") {
  slow_trees recorded{6, 0.5, 7};
  recorded.run();
  auto known = recorded.closed;
  known.resize(2);
  slow_trees resumed{6, 0.5, 99, known};
  resumed.run();
  REQUIRE(resumed.closed.size() == last + 1);
  CHECK(std::equal(known.begin(), known.end(), resumed.closed.begin()));
  CHECK(resumed.closed != recorded.closed);
}

TEST_CASE("a report that comes earlier than on record waits for its barrier") {
  gather_record known;
  known.iteration = 0;
  known.late = {{0}};
  gather_barrier barrier{roots(2), 0.5, last, {known}};
  REQUIRE(barrier.take(report(0, 0))); // would be the quorum
  CHECK_FALSE(barrier.close());
  REQUIRE(barrier.take(report(1, 0)));
  const auto first = barrier.close();
  REQUIRE(first);
  CHECK(first->late == known.late);
  CHECK(first->current[0] == roots(2)[0]);
  CHECK(barrier.behind().empty()); // it can begin iteration 1 at once
  CHECK_FALSE(barrier.take(report(0, 0)));
  REQUIRE(barrier.take(report(1, 1)));
  const auto second = barrier.close();
  REQUIRE(second);
  CHECK(second->folded == std::vector{report(0, 0)});
}

TEST_CASE("a record that this barrier could not have made is not followed") {
  const std::vector<concept_id> impossible[] = {
      {{0}, {1}, {2}, {3}}, // nobody in time
      {{1}, {2}, {3}},      // fewer than the quorum
      {{9}},                // no such tree
  };
  for (const auto& late : impossible) {
    gather_record known;
    known.late = late;
    gather_barrier barrier{roots(4), 0.5, last, {known}};
    CHECK(barrier.waiting_for() == 2);
  }
  gather_record at_the_end;
  at_the_end.iteration = last;
  at_the_end.late = {{0}};
  slow_trees all{4, 0.5, 1, {at_the_end}};
  all.run();
  CHECK(all.closed.back().late.empty());
}

TEST_CASE("a report of an unknown tree or of another iteration is not taken") {
  gather_barrier barrier{roots(2), 0.5, last};
  CHECK_FALSE(barrier.take(report(2, 0)));
  CHECK_FALSE(barrier.take(report(0, 1)));
  CHECK(barrier.reported() == 0);
}

TEST_CASE("late reports are counted over all barriers") {
  gather_record two, none, one;
  two.late = {{0}, {3}};
  one.late = {{1}};
  CHECK(count_late({two, none, one}) == 3);
  CHECK(count_late({}) == 0);
}

TEST_CASE("the versions that stand are the latest report of each tree") {
  gathered_versions versions;
  CHECK_FALSE(versions.mean_reward());
  gather_record first;
  first.reports = {report(0, 0)};
  first.late = {{1}};
  versions.fold(first);
  CHECK(versions.mean_reward() == 0);
  gather_record second;
  second.iteration = 1;
  second.reports = {report(1, 1)};
  second.folded = {report(1, 0)};
  versions.fold(second);
  CHECK(versions.best().at({1}) == report(1, 1).best);
  CHECK(versions.mean_reward() == Approx((0 + 1.125) / 2));
  gather_record third;
  third.iteration = 2;
  third.reports = {report(0, 1)};
  third.reports[0].best.evaluated = 0;
  versions.fold(third);
  CHECK(versions.mean_reward() == Approx(1.125)); // a score of 0 is another
  first.reports = {report(1, 0)}; // the search begins anew, after a retry
  versions.fold(first);
  CHECK(versions.best().size() == 1);
}

TEST_CASE("documents without a graded attempt have no mean reward") {
  gathered_versions versions;
  gather_record closed;
  closed.reports = {report(0, 0), report(1, 0)};
  for (auto& one : closed.reports)
    one.best.evaluated = 0;
  versions.fold(closed);
  CHECK_FALSE(versions.mean_reward());
  CHECK_FALSE(versions.mean_correctness());
}

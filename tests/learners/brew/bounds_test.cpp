/// Stopped evaluations: the same search with fewer rollouts.

#include "search/report.hpp"
#include "tests/learners/brew/support.hpp"

#include <set>

using namespace brewery;
using namespace brewery::test;

namespace {

constexpr std::uint32_t iterations = 8;

brew_settings bounded(bool on, strategy how, std::uint32_t wave) {
  auto out = stub_settings();
  out.economy = {.bounds = on, .wave = wave, .confirm = 0};
  out.eval = stub_tasks("eval", 12);
  out.learner.tree.how = how;
  out.learner.tree.max_width = 5;
  out.learner.tree.weights = {0.8, 0.2};
  out.asks_with_task = true;
  return out;
}

/// Documents differ in what they can do, tasks in how hard they are.
double grade_of(const rollout_job& work, std::uint64_t seed) {
  const auto own = [&](std::string_view what, const std::string& of) {
    return rng{rng_key(seed, what, of)}.uniform();
  };
  const auto& version = work.knowledge.at(0).hash.value;
  const double able = own("able", version), hard = own("hard", work.task.value);
  return able + 0.4 * own("luck", version + work.task.value) > hard + 0.2 ? 1
                                                                          : 0;
}

/// One search, and all that bounds must not change.
struct bounded_run {
  std::uint64_t seed;
  bench b;
  std::set<job_id> written;        ///< integrations, with what they are told
  std::vector<node_record> best{}; ///< by iteration, without what is derived
  std::uint64_t scored = 0;
  economy_counts counts{};
  std::vector<tree_growth> growth{}; ///< as the gathers saved it
  bool breaks = false;               ///< some environments
  /// Of these tasks no version solves one; under some versions they break, and
  /// the others are failed.
  std::set<task_id> brittle{};

  bounded_run(const brew_settings& settings, std::uint64_t of_seed)
      : seed(of_seed), b(settings) {}

  job_result work(const job& item) {
    auto answer = bench::work(item);
    if (auto* rollout = std::get_if<rollout_result>(&answer.output)) {
      const auto& asked = std::get<rollout_job>(item.input);
      rollout->grade.reward = grade_of(asked, seed);
      if (breaks && rng{rng_key(seed, "broken", item.id.value)}.below(6) == 0)
        rollout->outcome = rollout_outcome::environment_error;
      if (!brittle.empty() && !asked.reflect) fail_brittle(asked, *rollout);
    }
    return answer;
  }

  void fail_brittle(const rollout_job& asked, rollout_result& made) const {
    const bool is_one = brittle.contains(asked.task);
    const auto& version = asked.knowledge.at(0).hash;
    const bool is_root = version == b.root;
    const bool broken =
        !is_root && rng{rng_key(seed, "breaks", version.value)}.below(3) == 0;
    if (is_one || broken || is_root)
      made.grade.reward = is_root && !is_one ? 1 : 0;
    if (is_one && broken) made.outcome = rollout_outcome::environment_error;
  }

  /// Of a drawn order, each result again later; or else.
  enum class order { drawn, candidate_by_candidate, side_by_side };

  /// Results of one candidate after the other, so that one is far ahead; or of
  /// the one with most to come, so that none is.
  [[nodiscard]] static std::size_t next_of(const std::vector<job>& open,
                                           order how) {
    std::map<doc_hash, std::size_t> left;
    const auto version = [](const job& item) {
      const auto* rollout = std::get_if<rollout_job>(&item.input);
      return rollout != nullptr && !rollout->reflect
                 ? rollout->knowledge.at(0).hash
                 : doc_hash{};
    };
    for (const auto& item : open)
      ++left[version(item)];
    if (left.contains({})) // before there is a choice
      return static_cast<std::size_t>(
          std::ranges::find(open, doc_hash{}, version) - open.begin());
    const auto chosen =
        how == order::candidate_by_candidate
            ? left.rbegin()->first
            : std::ranges::max_element(left, {}, [](const auto& each) {
                return each.second;
              })->first;
    return static_cast<std::size_t>(std::ranges::find(open, chosen, version)
                                    - open.begin());
  }

  void iterate(std::uint32_t iteration, std::uint64_t order_seed = 0,
               order how = order::drawn) {
    rng draw{rng_key(order_seed, iteration)};
    std::vector<job> open;
    std::vector<job_result> old;
    std::optional<expand_report> report;
    const auto take = [&](search_step step) {
      for (auto& item : step.jobs) {
        if (kind_of(item) == job_kind::integrate) written.insert(item.id);
        const auto* rollout = std::get_if<rollout_job>(&item.input);
        scored += rollout != nullptr && !rollout->reflect;
        open.push_back(std::move(item));
      }
      if (step.report) report = step.report;
    };
    take(b.search.start({iteration, b.current}));
    while (!open.empty()) {
      const auto at = how != order::drawn ? next_of(open, how)
                      : order_seed == 0   ? 0
                                          : draw.below(open.size());
      const auto item = open[at];
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
      take(b.search.on(work(item)));
      old.push_back(work(item));
      if (order_seed != 0) take(b.search.on(old[draw.below(old.size())]));
    }
    REQUIRE(report);
    counts.add(report->counts);
    report->best.value = 0; // the mean of a subtree, with its bounds
    best.push_back(report->best);
    for (auto& part : b.search.take_growth())
      growth.push_back(std::move(part));
  }

  void run(std::uint64_t order_seed = 0, order how = order::drawn) {
    for (std::uint32_t i = 0; i <= iterations; ++i)
      iterate(i, order_seed, how);
  }
};

} // namespace

TEST_CASE("with bounds a search writes and publishes the same documents") {
  const auto how =
      GENERATE(strategy::mcts, strategy::greedy, strategy::iterative);
  std::uint64_t before = 0, now = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    bounded_run all{bounded(false, how, 1), seed};
    all.run();
    CHECK(all.counts.of(economy::asked) == all.scored);
    CHECK(all.counts.list().size() == 1);
    for (const std::uint32_t wave : {1u, 3u, 4u, 100u}) {
      INFO(to_string(how) << ", seed " << seed << ", waves of " << wave);
      bounded_run some{bounded(true, how, wave), seed};
      some.run();
      CHECK(some.written == all.written); // so every choice was the same
      CHECK(some.best == all.best);
      CHECK(some.counts.of(economy::asked) == some.scored);
      CHECK(some.scored + some.counts.of(economy::pruned)
                - some.counts.of(economy::resumed)
            == all.scored);
      if (wave != 1) continue;
      before += all.scored;
      now += some.scored;
    }
  }
  INFO(to_string(how) << ": " << now << " of " << before << " rollouts");
  if (how == strategy::iterative)
    CHECK(now == before);
  else
    CHECK(now * 10 < before * 9);
}

TEST_CASE("with bounds a version that broke too often has no score either") {
  std::uint64_t pruned = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const auto settings = [](bool on, std::uint32_t wave) {
      return bounded(on, strategy::mcts, wave);
    };
    const auto run = [&](const brew_settings& how) {
      bounded_run out{how, seed};
      // These four are failed by all, the others are not, so they come first. 9
      // of 12 must be graded.
      for (std::size_t i = 0; i < 4; ++i)
        out.brittle.insert(how.eval[i].id);
      out.run();
      return out;
    };
    const auto all = run(settings(false, 1));
    for (const std::uint32_t wave : {1U, 2U, 4U}) {
      INFO("seed " << seed << ", waves of " << wave);
      const auto some = run(settings(true, wave));
      CHECK(some.written == all.written);
      CHECK(some.best == all.best);
      CHECK(some.scored + some.counts.of(economy::pruned)
                - some.counts.of(economy::resumed)
            == all.scored);
      pruned += some.counts.of(economy::pruned);
    }
  }
  CHECK(pruned > 0);
}

TEST_CASE("with bounds odd orders and repeated results give the same search") {
  // Where ranks weigh most, a candidate may be beaten before it has played.
  const double correctness = GENERATE(0.8, 0.5, 0.2);
  const std::uint32_t wave = GENERATE(2U, 7U);
  auto settings = bounded(true, strategy::mcts, wave);
  settings.learner.tree.weights = {correctness, 1 - correctness};
  for (const bool breaks : {false, true}) {
    bounded_run first{settings, 5};
    first.breaks = breaks;
    first.run();
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      INFO("seed " << seed << (breaks ? ", some break" : "") << ", weight "
                   << correctness << ", waves of " << wave);
      bounded_run other{settings, 5};
      other.breaks = breaks;
      other.run(seed);
      CHECK(other.scored == first.scored);
      CHECK(records_of(other.b.search.nodes())
            == records_of(first.b.search.nodes()));
      CHECK(other.b.search.saved() == first.b.search.saved());
    }
  }
}

TEST_CASE("whether one is ahead or all go side by side, a search is the same") {
  using order = bounded_run::order;
  std::size_t pruned = 0;
  for (const std::uint32_t wave : {2U, 4U, 7U})
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      INFO("seed " << seed << ", waves of " << wave);
      const auto settings = bounded(true, strategy::mcts, wave);
      bounded_run ahead{settings, seed}, abreast{settings, seed};
      ahead.run(0, order::candidate_by_candidate);
      abreast.run(0, order::side_by_side);
      CHECK(ahead.scored == abreast.scored);
      CHECK(ahead.counts.list() == abreast.counts.list());
      CHECK(ahead.b.search.saved() == abreast.b.search.saved());
      pruned += ahead.counts.of(economy::pruned);
    }
  CHECK(pruned > 0);
}

TEST_CASE("a search with stopped evaluations goes on after a restart alike") {
  const auto settings = bounded(true, strategy::mcts, 2);
  bounded_run whole{settings, 3};
  whole.run();
  std::size_t stopped = 0;
  for (std::uint32_t cut = 0; cut < iterations; ++cut) {
    INFO("restarted after iteration " << cut);
    bounded_run first{settings, 3};
    for (std::uint32_t i = 0; i <= cut; ++i)
      first.iterate(i);
    const auto saved = first.b.search.saved();
    stopped += saved.stopped.size();
    bounded_run second{settings, 3};
    auto again = concept_search::restored(
        std::make_shared<const brew_settings>(settings), saved, nullptr,
        second.b.documents);
    REQUIRE(again);
    for (const auto& part : first.growth)
      REQUIRE(again->absorb(part));
    second.b.search = std::move(*again);
    for (std::uint32_t i = cut + 1; i <= iterations; ++i)
      second.iterate(i);
    CHECK(second.b.search.saved() == whole.b.search.saved());
  }
  CHECK(stopped > 0);
}

TEST_CASE("a snapshot that lacks a stopped evaluation is damaged") {
  const auto settings = bounded(true, strategy::mcts, 1);
  bounded_run run{settings, 3};
  run.run();
  auto saved = run.b.search.saved();
  REQUIRE_FALSE(saved.stopped.empty());
  saved.stopped.pop_back();
  const auto again =
      concept_search::restored(std::make_shared<const brew_settings>(settings),
                               saved, nullptr, run.b.documents);
  REQUIRE_FALSE(again);
  CHECK(again.error().code == ec::corrupt);
}

TEST_CASE("a stopped version is marked in its record") {
  bounded_run run{bounded(true, strategy::mcts, 1), 3};
  run.run();
  std::size_t marked = 0;
  for (const auto& item : records_of(run.b.search.nodes())) {
    if (item.least.empty()) {
      CHECK(item.evaluated == 12);
      continue;
    }
    ++marked;
    CHECK(item.evaluated < 12);
    CHECK(item.least[0] < item.reward);
    CHECK(item.reward <= run.best.back().reward);
  }
  CHECK(marked > 0);
}

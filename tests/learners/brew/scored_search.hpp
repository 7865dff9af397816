#pragma once
/// One tree fed by hand, whose documents differ in what they can do, beside a
/// neighbour that may change.

#include "search/report.hpp"
#include "tests/learners/brew/support.hpp"

#include <set>

namespace brewery::test {

/// What of a grade is a document's own, and what is chance.
struct grading {
  std::uint64_t seed = 1;
  double luck = 2;         ///< of each rollout
  double neighbours = 0.0; ///< what the other document decides
};

inline brew_settings scored_settings(const economy_options& economy,
                                     strategy how = strategy::mcts) {
  auto out = stub_settings();
  out.economy = economy;
  out.eval = stub_tasks("eval", 12);
  out.learner.tree.how = how;
  out.learner.tree.max_width = 5;
  out.learner.tree.weights = {1, 0};
  out.asks_with_task = true;
  return out;
}

struct scored_search {
  static constexpr std::uint32_t iterations = 8;

  grading by;
  bench b;
  std::set<job_id> written{};      ///< integrations, with what they are told
  std::vector<rollout_job> scored; ///< in the order in which they were asked
  std::vector<expand_report> reports{};
  std::vector<doc_hash> beside{}; ///< the neighbour, by iteration
  economy_counts counts{};
  std::vector<tree_growth> growth{}; ///< as the gathers saved it

  scored_search(const brew_settings& settings, grading of)
      : by(of), b(settings) {}

  /// What a version can do beside a neighbour, without luck.
  [[nodiscard]] double able(const doc_hash& version,
                            const doc_hash& other) const {
    const auto own = [&](std::string_view what, const std::string& of) {
      return rng{rng_key(by.seed, what, of)}.uniform();
    };
    return own("able", version.value) * (1 - by.neighbours)
           + own("both", version.value + other.value) * by.neighbours;
  }

  [[nodiscard]] double grade_of(const rollout_job& work) const {
    const auto& version = work.knowledge.at(0).hash;
    const auto key =
        version.value + work.task.value + ' ' + std::to_string(work.trial)
        + (by.neighbours > 0 ? work.knowledge.at(1).hash.value : std::string{});
    const double luck = rng{rng_key(by.seed, "luck", key)}.uniform() - 0.5;
    return able(version, work.knowledge.at(1).hash) + by.luck * luck > 0.5 ? 1
                                                                           : 0;
  }

  /// The reward of a version on these trials beside this neighbour.
  [[nodiscard]] double reward_of(const doc_hash& version, const doc_hash& other,
                                 std::uint32_t first,
                                 std::uint32_t count) const {
    double sum = 0;
    for (const auto& task : b.search.about().eval_tasks)
      for (std::uint32_t trial = 0; trial < count; ++trial) {
        rollout_job work;
        work.task = task;
        work.trial = first + trial;
        work.knowledge = {{{0}, version}, {{1}, other}};
        sum += grade_of(work);
      }
    return sum
           / static_cast<double>(b.search.about().eval_tasks.size() * count);
  }

  job_result work(const job& item) const {
    auto answer = bench::work(item);
    if (auto* rollout = std::get_if<rollout_result>(&answer.output))
      rollout->grade.reward = grade_of(std::get<rollout_job>(item.input));
    return answer;
  }

  void iterate(std::uint32_t iteration, std::uint64_t order_seed = 0) {
    rng order{rng_key(order_seed, iteration)};
    std::vector<job> open;
    std::vector<job_result> old;
    std::optional<expand_report> report;
    const auto take = [&](search_step step) {
      for (auto& item : step.jobs) {
        if (kind_of(item) == job_kind::integrate) written.insert(item.id);
        const auto* rollout = std::get_if<rollout_job>(&item.input);
        if (rollout != nullptr && !rollout->reflect) scored.push_back(*rollout);
        open.push_back(std::move(item));
      }
      if (step.report) report = step.report;
    };
    take(b.search.start({iteration, b.current}));
    while (!open.empty()) {
      const auto at = order_seed == 0 ? 0 : order.below(open.size());
      const auto item = open[at];
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
      take(b.search.on(work(item)));
      old.push_back(work(item));
      if (order_seed != 0) take(b.search.on(old[order.below(old.size())]));
    }
    REQUIRE(report);
    counts.add(report->counts);
    reports.push_back(*report);
    beside.push_back(b.current[1].hash);
    for (auto& part : b.search.take_growth())
      growth.push_back(std::move(part));
  }

  /// What is published goes into the knowledge base, and now and then the
  /// neighbour publishes another document.
  void gather(std::uint32_t iteration) {
    b.current[0].hash = reports.back().best.hash;
    if (by.neighbours > 0 && iteration % 2 == 1)
      b.current[1].hash =
          b.documents->add("# Bill\n\nbill " + std::to_string(iteration) + '\n')
              ->hash;
  }

  void run(std::uint64_t order_seed = 0, std::uint32_t from = 0,
           std::uint32_t to = iterations) {
    for (auto i = from; i <= to; ++i) {
      iterate(i, order_seed);
      gather(i);
    }
  }

  /// Continues in another process after the iteration `last`.
  [[nodiscard]] scored_search restarted(const brew_settings& settings) const {
    scored_search out{settings, by};
    auto again = concept_search::restored(
        std::make_shared<const brew_settings>(settings), b.search.saved(),
        nullptr, out.b.documents);
    REQUIRE(again);
    for (const auto& part : growth)
      REQUIRE(again->absorb(part));
    for (const auto& ref : b.current)
      out.b.documents->add(b.documents->find(ref.hash)->body);
    for (const auto& hash : beside)
      out.b.documents->add(b.documents->find(hash)->body);
    out.b.search = std::move(*again);
    out.b.current = b.current;
    return out;
  }

  /// The published versions by iteration, without what is derived from others.
  [[nodiscard]] std::vector<node_record> published() const {
    std::vector<node_record> out;
    for (const auto& report : reports) {
      out.push_back(report.best);
      out.back().value = 0; // the mean of a subtree, with its bounds
    }
    return out;
  }
};

} // namespace brewery::test

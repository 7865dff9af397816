#include "cli/sweep/shared_start.hpp"

#include "config/print.hpp"

#include <algorithm>

namespace brewery {

namespace {

/// The options on which the beginning depends; all others have their default.
config of_the_start(const config& options) {
  auto out = options;
  const config plain;
  out.run = plain.run;
  out.cluster = plain.cluster;
  out.economy = plain.economy;
  out.eval = plain.eval;
  auto& search = out.search;
  search = plain.search;
  search.learner = options.search.learner;
  search.initial_trials = options.search.initial_trials;
  search.cluster_threshold = options.search.cluster_threshold;
  search.max_concepts = options.search.max_concepts;
  search.merge_similarity = options.search.merge_similarity;
  search.root_temperature = options.search.root_temperature;
  return out;
}

range larger(const range& a, const range& b) {
  return {std::max(a.low, b.low), std::max(a.high, b.high)};
}

} // namespace

shared_start shared_start_of(const config& options, const task_counts& tasks,
                             const range& concepts) {
  shared_start out;
  out.key = to_toml(of_the_start(options));
  // Others begin with other rollouts; MUSE has no such test either.
  if (options.search.learner == "muse") return out;
  if (options.search.final_evaluation) {
    const auto test =
        static_cast<double>(tasks.test) * options.eval.test_trials;
    out.jobs.testing = {test, test};
  }
  if (options.search.learner != "brew" || options.search.strategies.empty())
    return out;
  const auto first =
      static_cast<double>(tasks.train) * options.search.initial_trials;
  out.jobs.learning = {first, first};
  out.jobs.integrations = concepts;
  return out;
}

void keep_most(job_counts& of, const job_counts& other) {
  of.learning = larger(of.learning, other.learning);
  of.testing = larger(of.testing, other.testing);
  of.integrations = larger(of.integrations, other.integrations);
}

} // namespace brewery

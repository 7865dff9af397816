#pragma once
/// What the BREW machines need to know of a run: fixed before the first job, so
/// that every decision is a function of these values and of job results.

#include "kb/bm25.hpp"
#include "learners/brew/concepts.hpp"
#include "learners/options.hpp"
#include "search/options.hpp"

namespace brewery {

struct brew_settings {
  std::uint64_t seed = 1;
  std::string fingerprint; ///< of environment, agent and roles
  std::vector<learner_task> train;
  std::vector<learner_task> eval;
  learner_options learner;
  eval_options eval_choice;
  search_options search; ///< of one strategy
  bm25_options retrieval;
  std::string method; ///< of all its rollouts; empty: the agent's own
};

/// A rollout job with its identity set.
rollout_job make_rollout_job(const brew_settings& settings, const task_id& task,
                             std::uint32_t trial,
                             const std::vector<doc_ref>& knowledge,
                             bool reflect);

} // namespace brewery

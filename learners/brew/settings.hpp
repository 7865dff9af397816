#pragma once
/// The settings that the searches of one strategy share. They are fixed before
/// the first job, so every decision is a function of these values and of job
/// results.

#include "economy/options.hpp"
#include "kb/bm25.hpp"
#include "learners/brew/concepts.hpp"
#include "learners/options.hpp"

namespace brewery {

struct brew_settings {
  std::uint64_t seed = 1;
  std::string fingerprint; ///< of environment, agent and roles
  /// What of it rollouts depend on, without reflection and with. Empty: on all.
  std::string playing, reflecting;
  std::vector<learner_task> train;
  std::vector<learner_task> eval;
  learner_options learner; ///< of one strategy: learner.tree.how
  eval_options eval_choice;
  economy_options economy;
  /// An agent's first query is the task's subject, so that retrieval rewards
  /// are known before a rollout. False: it may be anything.
  bool asks_with_task = false;
  bm25_options retrieval;
  /// Retrieval needs vectors, so only who played a rollout can rank: its result
  /// brings the ranking, and `retrieval` is not used.
  bool ranked_by_rollouts = false;
  std::string method; ///< of all rollouts; empty: the agent's default
  /// The key of the embedder, in the ids of its jobs (messages/embed_jobs.hpp).
  std::string embedder{};
  /// That of the integrator, likewise.
  std::string integrator{};
};

/// Makes a rollout job and computes its id.
rollout_job make_rollout_job(const brew_settings& settings, const task_id& task,
                             std::uint32_t trial,
                             const std::vector<doc_ref>& knowledge,
                             bool reflect);

/// Makes the jobs that embed these texts, in order. A job is limited so that
/// its vectors fit into a frame.
std::vector<embed_job> make_embed_jobs(const std::vector<std::string>& texts,
                                       const std::string& embedder);

} // namespace brewery

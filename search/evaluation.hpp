#pragma once
/// Collects the graded rollouts of one evaluation (BREW, arXiv:2511.20297,
/// algorithm 5), in any order, until all have arrived. Owned by the tree actor
/// while it scores a candidate. Pure.
///
///   pending_evaluation pending{id, {{job, 0.5}, ...}};
///   pending.absorb(job, 1.0);
///   if (pending.complete()) tree.absorb(node, *pending.finish(weights, 0.75));
///
/// The mean leaves out a rollout whose environment broke, because it says
/// nothing about the document. Where too many did, the rest says little: there
/// is no evaluation, and the document cannot be the best. Means are summed in
/// the order of the queries, so the order of arrival does not change a bit of
/// the result.

#include "search/bounds.hpp"
#include "search/node.hpp"
#include "search/reward.hpp"

#include <cstddef>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

namespace brewery {

struct evaluation_query {
  job_id job; ///< the rollout that answers it
  /// Of the document for this query, in [0, 1]. A result may bring another.
  /// None: only its result can say, and without one the mean leaves it out.
  std::optional<double> reciprocal_rank{};
};

class pending_evaluation {
public:
  /// Two queries may share a job; its grade then counts for both.
  pending_evaluation(evaluation_id id, std::vector<evaluation_query> queries);

  /// Takes a grade in [0, 1], and the rank for what the agent really asked, if
  /// that was another query. Returns false, without a change, for a job that is
  /// not expected or already has an answer: a duplicate, a backup or a late
  /// result.
  bool absorb(const job_id& job, double grade,
              std::optional<double> reciprocal_rank = {});

  /// Records that the environment broke, and the rank if it is known all the
  /// same. Returns false like `absorb`.
  bool give_up(const job_id& job, std::optional<double> reciprocal_rank = {});

  /// What is known of R, if every open rollout is graded. Without
  /// `ranks_known` an open rollout may bring any rank (bounds.hpp).
  [[nodiscard]] reward_interval interval(const reward_weights& weights,
                                         bool ranks_known) const;

  /// The least of R if these queries all succeed: no answers to them leave
  /// more.
  [[nodiscard]] double least_at_best(const std::set<std::size_t>& queries,
                                     const reward_weights& weights,
                                     bool ranks_known) const;

  /// What an evaluation that stops here leaves: its bounds.
  [[nodiscard]] evaluation stopped(const reward_weights& weights,
                                   bool ranks_known) const;

  /// Whether `absorb` would take the job's grade.
  [[nodiscard]] bool expects(const job_id& job) const;

  bool complete() const { return open_ == 0; }
  std::size_t missing() const { return open_; } ///< jobs without an answer

  /// Whether enough of the queries are graded, or may still be, for `finish` to
  /// give an evaluation in the end.
  [[nodiscard]] bool may_finish(double min_graded) const;

  /// The evaluation. Empty while jobs are missing, if no rollout was graded, or
  /// if less than a share of `min_graded` of the queries was.
  std::optional<evaluation> finish(const reward_weights& weights,
                                   double min_graded) const;

private:
  struct answer {
    bool arrived = false;
    bool graded = false;
    double grade = 0;
    std::optional<double> rank{};
  };
  answer* waiting(const job_id& job);
  [[nodiscard]] std::vector<query_bounds> known(bool ranks_known) const;

  evaluation_id id_;
  std::vector<evaluation_query> queries_;
  std::vector<answer> answers_;          ///< of the jobs, each once
  std::vector<std::size_t> answered_by_; ///< by query: place in `answers_`
  std::unordered_map<job_id, std::size_t> places_; ///< in `answers_`
  std::size_t open_ = 0;
};

} // namespace brewery

#pragma once
/// Bounds on a reward whose evaluation is not over, and what they decide: a
/// candidate that cannot become the best of its tree stops. Pure.
///
///   least <= R <= most,  R = lambda_corr R_corr + lambda_ret R_ret
///
/// An open rollout counts as failed for the least and as a success for the
/// most. Sums go in the order of the queries, as in `pending_evaluation`, and
/// rounding is monotone, so the numbers of a full evaluation are never outside
/// of its bounds, not by a bit. One case is left out: a rollout that breaks is
/// no score at all, which nobody can know of one that is never played.
///
/// Which rollouts go first is decided by `hardness`: tasks that earlier
/// versions failed most tell soonest what a candidate can still reach.

#include "search/reward.hpp"
#include "search/tree.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace brewery {

struct bounds {
  double least = 0;
  double most = 1;

  bool operator==(const bounds&) const = default;
};

/// What is known of one query of an evaluation.
struct query_bounds {
  bool counts = true; ///< false: its rollout broke, so it has no grade
  bounds grade;
  bounds rank;        ///< reciprocal; those of broken rollouts count too
  bool ranked = true; ///< false: its rollout broke before it could rank
};

struct reward_interval {
  bounds reward, correctness, retrieval;
};

reward_interval interval_of(const std::vector<query_bounds>& queries,
                            const reward_weights& weights);

/// A version and what is known of its reward.
struct contender {
  node_id id;
  bounds reward;
};

/// Those of `running` that cannot become the best version, whatever their open
/// rollouts bring: some full evaluation of the tree, or one of `running`, is
/// better already. Equal rewards go to the lower id, as in `tree::best`.
std::vector<node_id> beaten(const std::vector<contender>& running,
                            const tree& searched);

/// The bounded nodes that may be the best version. None after an evaluation
/// whose bounds hold; some if what beat them has no score in the end.
std::vector<node_id> undecided_best(const tree& searched);

/// How much of each query's grades earlier versions lost. Sums go in the order
/// of the calls, which must not depend on the order of arrival.
class hardness {
public:
  void add(std::size_t task, double grade);

  /// The tasks from 0 to `count` by the share that was lost, the largest first;
  /// ties and tasks that nobody played in their order.
  [[nodiscard]] std::vector<std::size_t> order(std::size_t count) const;

  /// As it stands: what was lost of each task and in how many rollouts.
  [[nodiscard]] const std::vector<double>& lost() const { return lost_; }
  [[nodiscard]] const std::vector<std::uint32_t>& played() const {
    return played_;
  }
  /// From what `lost` and `played` gave. Lists of other lengths are cut.
  static hardness restored(std::vector<double> lost,
                           std::vector<std::uint32_t> played);

private:
  std::vector<double> lost_;
  std::vector<std::uint32_t> played_;
};

} // namespace brewery

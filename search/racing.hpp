#pragma once
/// Racing: a candidate that is probably worse than another of its expansion
/// stops, where bounds.hpp stops only what certainly is not the best. Pure.
///
/// All candidates play the same held-out tasks, in one random order. Whether
/// one is worse is tested by betting on the differences d_i = (reward of its
/// rival in the i-th task) - (its own), in [-1, 1]. If it is as good over all N
/// tasks, the mean of what is still to come is at most
///
///   mu_i = -(d_1 + ... + d_(i-1)) / (N - i + 1)
///
/// because the order is random (drawing without replacement), so the wealth of
/// who stakes a share s of what can be lost,
///
///   W = product of 1 + s (d_i - mu_i) / (1 + mu_i),
///
/// is a supermartingale, and so is its mean over several s. It exceeds
/// (candidates - 1) / error with at most a probability of error / (candidates -
/// 1), however often it is looked at (Ville's inequality; Waudby-Smith and
/// Ramdas, arXiv:2010.09686). So the candidate that full scores would have
/// chosen is dropped in at most a share of `error` of all expansions. One case
/// is left out, as in bounds.hpp: a rollout that breaks drops out of a full
/// score, and here counts as a tie.

#include "base/ids.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace brewery {

/// A candidate that is still scored.
struct racer {
  node_id id;
  /// Its reward in each task that it has played, from 0 to 1, in the order of
  /// play. None: the task's environment broke, which says nothing.
  std::vector<std::optional<double>> rewards;
};

/// What there is against the hypothesis that it is as good as its rival over
/// all `tasks`: the wealth W above, at least 0; infinite where it cannot be any
/// more. Tasks that only one of them has played do not count.
double evidence_against(const racer& item, const racer& rival,
                        std::size_t tasks);

/// Those of `running` that are probably worse than another of them.
/// `candidates`: how many there were at the start, at least 2; `error` in (0,
/// 1). The one with the highest sum is never among them.
std::vector<node_id> outrun(std::span<const racer> running, std::size_t tasks,
                            std::size_t candidates, double error);

} // namespace brewery

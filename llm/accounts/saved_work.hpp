#pragma once
/// What a run did not have to play, and what that would have taken: as much as
/// the rollouts that it played, in the mean (docs/economy.md). A rollout is
/// saved that another stands for, or that bounds pruned for good.

#include "base/result.hpp"
#include "llm/accounts/spend.hpp"
#include "messages/rollout_msgs.hpp"
#include "search/economy_counts.hpp"

#include <cstdint>
#include <string>

namespace brewery {

/// The rollouts of a run that somebody played.
struct played_work {
  std::uint64_t rollouts = 0;
  std::uint64_t duration_us = 0; ///< of workers

  void add(const rollout_result& one);
  /// Nothing, if it was not played.
  void add(std::uint64_t one_us);
};

struct saved_work {
  std::uint64_t rollouts = 0;
  double seconds = 0;   ///< of a worker
  picodollars cost = 0; ///< of the models that play an attempt
};

/// `scoring`: of all `searches` of the run; `reused`: the rollouts that others
/// stood for. What bounds and races spare counts only if there is one search:
/// several share rollouts, and one may play what another is spared.
std::uint64_t rollouts_saved(const economy_counts& scoring,
                             std::size_t searches, std::uint64_t reused);

/// Nothing, if nothing was played. Judges and reflectors cost nothing here:
/// most of what is saved only scores versions. `spend` is of this run: another
/// run of a sweep may have played some of `played`, at its own cost.
saved_work saved_by(std::uint64_t rollouts, const played_work& played,
                    const model_spend& spend);

/// "144 rollouts: about 12 min 05 s of a worker and $1.20, as those that were
/// played took in the mean"; empty if none was saved.
std::string saved_text(const saved_work& saved);

} // namespace brewery

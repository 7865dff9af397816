#pragma once
/// How far a learner that keeps a memory is (learners/agent_kb, learners/muse),
/// as its log says.

#include "config/config.hpp"
#include "store/event_log.hpp"

#include <cstdint>
#include <optional>

namespace brewery {

/// Counted as the learner does while it works (`learner_view`): Agent KB by its
/// barriers, of which the first is 0; MUSE by its passes over the train tasks.
struct memory_rounds {
  std::uint32_t done = 0;
  std::uint32_t planned = 0;
};

/// What the rounds are read from, row by row in order of the log.
class memory_reader {
public:
  /// Error ec::corrupt: a record cannot be read.
  result<void> add(const event_row& row);

  /// Empty if the run's learner searches trees. `log` is the one that was read.
  [[nodiscard]] result<std::optional<memory_rounds>>
  rounds(const config& options, const event_log& log) const;

private:
  [[nodiscard]] result<std::uint32_t> muse_passes(const config& options,
                                                  const event_log& log) const;

  std::optional<std::uint32_t> barrier_; ///< the last one
  std::uint64_t barrier_event_ = 0;
  bool learned_ = false; ///< the final evaluation has begun
};

} // namespace brewery

#pragma once
/// Estimates how long a sweep still takes: what its runs have to do, by the
/// rollouts of those that are finished, whichever session played them, at the
/// pace of this session, in which as many runs are side by side as are. PURE:
/// the time is an argument. Used by one thread.

#include "sweep/sweep_runner.hpp"

#include <optional>

namespace brewery {

class sweep_time_left {
public:
  /// Takes where the sweep stands at `now`, in seconds of any clock.
  void observe(const sweep_view& view, double now);

  /// Seconds left; empty before a run is finished and a pace is known, and when
  /// all that are left take longer than those. Never more only because time
  /// passes.
  [[nodiscard]] std::optional<double> seconds() const { return left_; }

private:
  struct moment {
    double at = 0;
    std::uint64_t rollouts = 0;
  };
  [[nodiscard]] std::optional<double> estimate(const sweep_view& view) const;

  std::optional<std::uint64_t> rollouts_; ///< seen last
  /// When rollouts came first and last. What was there before is of an earlier
  /// session, or came while nobody looked.
  std::optional<moment> first_, last_;
  std::optional<double> left_;
};

} // namespace brewery

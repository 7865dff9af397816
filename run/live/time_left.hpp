#pragma once
/// Estimates how long a run still takes: the iterations of its searches,
/// whichever they are of, and the final evaluation. Counts what this process
/// has seen; results from the log of an earlier session take no time and do not
/// count. PURE: the time is an argument. Used by one thread.

#include "actors/progress.hpp"

#include <deque>
#include <optional>

namespace brewery {

class time_left {
public:
  /// Takes what the run is doing at `now`, in seconds of any clock.
  void observe(const progress_view& view, double now);

  /// Seconds left; empty before anything was measured.
  [[nodiscard]] std::optional<double> seconds() const { return left_; }

  /// Rollouts per second over the last seconds.
  [[nodiscard]] double rate() const;

private:
  struct speed {
    double seconds = 0, units = 0;
    void add(double spent, double done) {
      seconds += spent;
      units += done > 0 ? done : 0;
    }
    [[nodiscard]] double each() const {
      return units > 0 ? seconds / units : 0;
    }
  };
  /// A moment of the run.
  struct moment {
    double at = 0;
    double iterations_done = 0; ///< of all searches, the roots not counted
    double iterations_left = 0;
    bool expanding = false; ///< some search
    bool searched = true;   ///< all searches are over
    bool evaluating = false;
    std::uint64_t evaluations_left = 0;
    std::uint64_t rollouts = 0;
  };
  static moment moment_of(const progress_view& view, double now);
  void measure(const moment& now);
  [[nodiscard]] std::optional<double> estimate(const moment& now) const;

  std::optional<moment> last_;
  speed iterations_, evaluations_, rollouts_;
  std::deque<moment> recent_;
  std::optional<double> left_;
};

} // namespace brewery

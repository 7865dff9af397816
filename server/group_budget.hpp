#pragma once
/// What the runs of a coordinator's group cost, against the group's limit. Each
/// run's watch asks whether it may go on. Thread-safe.

#include "run/group_limit.hpp"

#include <map>
#include <mutex>
#include <string>

namespace brewery {

class group_budget {
public:
  using clock = std::chrono::steady_clock;

  void set_limit(group_limit limit);
  [[nodiscard]] group_limit limit() const;
  /// The session begins: `max_hours` counts from here, and not before.
  void begin(clock::time_point now);
  /// What the run has cost so far, over all its sessions. Returns why no run
  /// of the group may go on, if that is so.
  std::optional<error> note(const std::string& run, double cost_usd,
                            clock::time_point now);
  /// The same of what is noted.
  [[nodiscard]] std::optional<error> over(clock::time_point now) const;
  /// Of the money alone, whenever the session began.
  [[nodiscard]] std::optional<error> over_cost() const;
  [[nodiscard]] double cost_usd() const;

private:
  [[nodiscard]] double sum() const;
  [[nodiscard]] clock::duration session(clock::time_point now) const;

  mutable std::mutex mutex_;
  group_limit limit_;
  std::optional<clock::time_point> began_;
  std::map<std::string, double> cost_usd_;
};

} // namespace brewery

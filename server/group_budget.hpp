#pragma once
/// What the runs of a coordinator's group cost, against the group's limit. Each
/// run's watch asks whether it may go on. Thread-safe.

#include "run/group_limit.hpp"

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace brewery {

class group_budget {
public:
  using clock = std::chrono::steady_clock;
  /// Told of the cost and its limit (0: none) whenever one changes.
  using listener = std::function<void(double cost_usd, double max_cost_usd)>;

  explicit group_budget(std::string group) : group_(std::move(group)) {}

  void set_limit(group_limit limit);
  [[nodiscard]] group_limit limit() const;
  /// The session begins: `max_hours` counts from here, and not before.
  void begin(clock::time_point now, listener told = {});
  /// None of its runs is under way: nobody is told any more.
  void end();
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
  void tell() const;
  /// With the group's name: a run's reason is read beside its own options.
  [[nodiscard]] std::optional<error> named(std::optional<error> why) const;

  const std::string group_;
  mutable std::mutex mutex_;
  group_limit limit_;
  std::optional<clock::time_point> began_;
  listener told_;
  std::map<std::string, double> cost_usd_;
};

} // namespace brewery

#pragma once
/// `sweep.json` while the runs change it: every change is on disk when the call
/// returns. Thread-safe.

#include "sweep/sweep_state.hpp"

#include <functional>
#include <mutex>

namespace brewery {

/// A run's place in the state.
struct run_place {
  std::size_t point = 0, run = 0;
};

class state_keeper {
public:
  state_keeper(std::filesystem::path sweep, sweep_state state)
      : sweep_(std::move(sweep)), state_(std::move(state)) {}

  /// False: it cannot be written; see `broken`.
  bool change(const run_place& where,
              const std::function<void(sweep_run&)>& how);

  [[nodiscard]] sweep_state state() const;
  [[nodiscard]] sweep_run run(const run_place& where) const;
  /// The first error of a write.
  [[nodiscard]] std::optional<error> broken() const;

private:
  const std::filesystem::path sweep_;
  mutable std::mutex mutex_;
  sweep_state state_;           ///< guarded by mutex_
  std::optional<error> broken_; ///< guarded by mutex_
};

} // namespace brewery

#pragma once
/// Watches a run while it executes: stops it when its time is over or its
/// models halt, and stores now and then what it came to. So `status` and `runs`
/// show that of a run that goes on, or was killed; pages also what it is doing
/// (run/live/live_file.hpp). Ends with its scope.

#include "run/live/time_left.hpp"
#include "run/run_executor.hpp"
#include "run/setup/run_models.hpp"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace brewery {

class run_watch {
public:
  /// Why the run must not go on, given its cost so far in USD.
  using asks_others = std::function<std::optional<error>(double cost_usd)>;

  /// All must outlive the watch. `max_hours` 0: no limit. `others` may be
  /// empty. `directory` gets `live.json`; empty: there is none.
  run_watch(run_executor& machine, const run_models& models, double max_hours,
            asks_others others = {}, std::filesystem::path directory = {});
  ~run_watch();
  run_watch(const run_watch&) = delete;
  run_watch& operator=(const run_watch&) = delete;

  /// Why it stopped the run; empty if it did not.
  [[nodiscard]] std::optional<error> why() const;

private:
  void watch();
  void show_live();
  void stop_because(error why);

  run_executor& machine_;
  const run_models& models_;
  const double max_hours_;
  const std::filesystem::path directory_;
  time_left left_; ///< used by the thread
  const asks_others others_;
  const std::chrono::steady_clock::time_point begun_ =
      std::chrono::steady_clock::now();
  mutable std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;        ///< guarded by mutex_
  std::optional<error> why_; ///< guarded by mutex_
  std::thread thread_;
};

} // namespace brewery

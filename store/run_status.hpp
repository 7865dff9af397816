#pragma once
/// `status.json` in a run directory: the state of a run, when it began, how
/// long it took over all its sessions, what it cost. The log is the truth of
/// what a run found; this file says what no event says. A run of an older
/// release has none.

#include "base/result.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace brewery {

enum class run_state : std::uint8_t {
  running,     ///< a process holds its lock
  interrupted, ///< stopped or killed, or its budget is spent: resume it
  cancelled,   ///< by an order to its coordinator: resume it
  failed,      ///< it ended with an error, which is the reason
  finished,    ///< it has a report
  unreadable,  ///< its log or this file cannot be read; never written
};

std::string_view to_string(run_state state);

struct run_status {
  run_state state = run_state::running;
  std::string reason;            ///< one line; empty if there is none
  std::int64_t started_ms = 0;   ///< first session; milliseconds since 1970
  std::int64_t session_ms = 0;   ///< last session
  double seconds = 0;            ///< of the sessions that ended
  std::uint64_t rollouts = 0;    ///< the most that was ever shown or counted
  std::uint64_t failed_jobs = 0; ///< that have no result
  std::uint64_t workers = 0;     ///< of the last session
  double cost_usd = 0;           ///< of language models, over all sessions
  /// Its budget stopped it: it goes on by an order only, not because a
  /// coordinator starts again.
  bool spent = false;
};

/// Error ec::not_found: a run of an older release, or one that never began.
result<run_status> read_run_status(const std::filesystem::path& run);

/// The time from the start of the last session to its last event. What a
/// session lasted that was killed.
double seconds_until_last_event(const std::filesystem::path& run,
                                const run_status& status);

/// Changes the status of a run that nobody has in hand, in one write.
result<void> change_run_status(const std::filesystem::path& run,
                               const std::function<void(run_status&)>& change);

/// The status of a run in hand. Thread-safe. Only the holder of the run's lock
/// may have one.
class run_status_file {
public:
  using time_point = std::chrono::system_clock::time_point;

  /// Begins a session, and ends the one before if it was killed.
  static result<std::shared_ptr<run_status_file>>
  begin_session(const std::filesystem::path& run, time_point now);

  [[nodiscard]] run_status status() const;
  /// Of all sessions, with the one that is open.
  [[nodiscard]] double seconds(time_point now) const;

  /// Stores what the run came to so far, unless that is stored already. The
  /// number of rollouts never falls. Returns the number that is stored.
  std::uint64_t note_progress(std::uint64_t rollouts,
                              std::optional<double> cost_usd = {});

  /// The stored number of rollouts, without waiting for a disk. Who shows this
  /// one shows no less after a restart.
  [[nodiscard]] std::uint64_t stored_rollouts() const {
    return stored_rollouts_;
  }

  /// Ends the session. `change` fills in what it came to.
  result<void> end_session(time_point now,
                           const std::function<void(run_status&)>& change);

private:
  run_status_file(std::filesystem::path run, run_status status)
      : run_(std::move(run)), status_(std::move(status)),
        stored_rollouts_(status_.rollouts) {}
  const std::filesystem::path run_;
  mutable std::mutex mutex_;
  run_status status_; ///< guarded by mutex_
  std::atomic<std::uint64_t> stored_rollouts_;
};

} // namespace brewery

#pragma once
/// A child process that answers requests of many threads: one JSON object per
/// line, replies in any order, matched by "id". Its first line is its hello.
/// {"waiting": [ids]} says whose turn has not come: their patience begins anew.
/// The channel is one incarnation. When the child ends, breaks the protocol or
/// is given up, all waiting and all later requests get the reason.

#include "base/json.hpp"
#include "process/child_process.hpp"
#include "process/error_lines.hpp"

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

namespace brewery::child {

class service_channel {
public:
  using time_point = std::chrono::steady_clock::time_point;

  service_channel(child_process process, log_sink log);
  /// Closes the child's input to ask it to end. Kills it after the `patience`
  /// of `end`, or at once if `end` was not called.
  ~service_channel();
  service_channel(const service_channel&) = delete;
  service_channel& operator=(const service_channel&) = delete;

  /// The first line. Errors: ec::timeout; ec::io with how it ended and its last
  /// lines; ec::environment if a signal from outside ended it.
  result<json> hello(std::chrono::milliseconds patience);

  /// Sends `request` with an "id" and waits for its reply. If it hears nothing
  /// of it for that long, the child is given up: it may not answer others
  /// either. Errors: those of hello; ec::environment if the child reports that
  /// it could not do it.
  result<json> ask(json request, std::chrono::milliseconds patience);

  /// Why the channel is unusable; empty: it works.
  [[nodiscard]] std::string broken() const;

  void end(std::chrono::milliseconds patience);

private:
  struct waiting {
    std::optional<json> reply;
    time_point heard_of; ///< sent, or said to wait for its turn
  };

  void read_until_end();
  bool take_output();
  void take_line(std::string_view line);
  bool take_waiting(const json& numbers);
  void give_up(const std::string& why);
  result<void> send(std::string_view line, time_point deadline);
  error failure() const;

  mutable std::mutex mutex_;
  std::timed_mutex writing_; ///< taken before mutex_ if both are needed
  /// Whoever has writing_ gives it up: the child gets nothing more.
  std::atomic<bool> ending_{false};
  std::condition_variable changed_;
  child_process process_; ///< ended only by the reading thread
  error_lines errors_;    ///< used by the reading thread until ended_
  std::string received_;  ///< used by the reading thread
  std::optional<json> hello_;
  /// Guarded by mutex_, like all below.
  std::map<std::uint64_t, waiting> waiting_;
  std::uint64_t asked_ = 0;
  std::string broken_;
  bool late_ = false;   ///< it was given up after a deadline
  bool ended_ = false;  ///< ended and reaped
  bool killed_ = false; ///< by a signal from outside
  std::thread reader_;
};

} // namespace brewery::child

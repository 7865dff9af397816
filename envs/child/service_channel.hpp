#pragma once
/// A child process that answers requests of many threads: JSON objects, one on
/// a line, replies in any order and told apart by their "id". Its first line is
/// its hello. One incarnation: when it ends, breaks the rules or is given up,
/// everyone who waits is told why, and so is everyone who asks later.

#include "envs/child/child_process.hpp"
#include "envs/child/error_lines.hpp"
#include "envs/environment.hpp"

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

namespace brewery::child {

class service_channel {
public:
  using time_point = std::chrono::steady_clock::time_point;

  service_channel(child_process process, log_sink log);
  /// Asks it to end by the end of its input; kills it when it does not within
  /// `patience` of `end`, or at once if that was not called.
  ~service_channel();
  service_channel(const service_channel&) = delete;
  service_channel& operator=(const service_channel&) = delete;

  /// The first line. Errors: ec::timeout; ec::io with how it ended and its last
  /// words, or ec::environment when a signal ended it: somebody else's doing.
  result<json> hello(time_point deadline);

  /// Sends `request` with an "id" and waits for its reply. A deadline that
  /// passes gives the child up: whoever does not answer one may answer nobody.
  /// Errors as of hello; ec::environment: it says that it could not do it.
  result<json> ask(json request, time_point deadline);

  /// Why it is of no more use; empty: it is well.
  [[nodiscard]] std::string broken() const;

  void end(std::chrono::milliseconds patience);

private:
  struct waiting {
    std::optional<json> reply;
  };

  void read_until_end();
  bool take_output();
  void take_line(std::string_view line);
  void give_up(const std::string& why);
  result<void> send(std::string_view line, time_point deadline);
  error failure() const;

  mutable std::mutex mutex_;
  std::mutex writing_; ///< taken before mutex_ where both are
  std::condition_variable changed_;
  child_process process_; ///< ended by the reading thread alone
  error_lines errors_;    ///< of the reading thread until ended_
  std::string received_;  ///< of the reading thread
  std::optional<json> hello_;
  std::map<std::uint64_t, waiting> waiting_; ///< guarded by mutex_, as below
  std::uint64_t asked_ = 0;
  std::string broken_;
  bool late_ = false;   ///< it was given up for a deadline
  bool ended_ = false;  ///< and reaped
  bool killed_ = false; ///< by somebody else
  std::thread reader_;
};

} // namespace brewery::child

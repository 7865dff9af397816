#pragma once
/// One running child that has introduced itself. Shared by the rollouts that
/// play in it; requests are made one after the other. After the first request
/// that it does not answer as it should it is killed, and every later one fails
/// with the same reason.

#include "envs/child/line_channel.hpp"
#include "envs/external/external_protocol.hpp"

#include <mutex>

namespace brewery::external {

using child::child_command;
using child::child_process;
using child::line_channel;
using child::log_sink;

/// How an environment is started and for how long it is waited for.
struct external_options {
  child_command command;
  std::chrono::milliseconds start_timeout{30'000}; ///< until it is introduced
  std::chrono::milliseconds step_timeout{60'000};  ///< reset, step and close
  std::chrono::milliseconds grade_timeout{120'000};
  log_sink log; ///< gets lines of standard error; may be called on any thread
};

class external_child {
public:
  /// Errors: those of child_process::start, line_channel and read_hello.
  static result<std::shared_ptr<external_child>>
  start(const external_options& options);

  [[nodiscard]] const hello_reply& about() const { return about_; }
  /// Of all that it said of itself.
  [[nodiscard]] const std::string& fingerprint() const { return fingerprint_; }

  /// `what` is asked by `line`, made for a request number. All errors are
  /// ec::environment and tell `what`, the reason and the child's last words.
  result<json> ask(const std::string& what,
                   const std::function<std::string(std::uint64_t)>& line,
                   std::chrono::milliseconds patience);

  /// For a reply that is well formed but not what was asked for.
  error violated(const std::string& what, const error& why);

  /// Fit for another rollout. Does not wait for requests of others.
  bool well();
  /// It ended by itself, or was killed for what it did.
  [[nodiscard]] bool broken() const;

  void close_input();
  void end(std::chrono::milliseconds patience);

private:
  external_child(child_process process, const external_options& options);
  result<void> introduce(std::chrono::milliseconds patience);
  error break_off(const std::string& what, const std::string& why);

  mutable std::mutex mutex_;
  line_channel channel_; ///< guarded by mutex_, as the next two
  std::uint64_t asked_ = 0;
  std::string broken_; ///< why; empty: it is not
  hello_reply about_;
  std::string fingerprint_;
};

} // namespace brewery::external

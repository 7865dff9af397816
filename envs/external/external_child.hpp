#pragma once
/// One running child that has sent its hello. Shared by its rollouts, whose
/// requests are made one after the other. After the first request without a
/// valid reply, the child is killed, and all later requests fail with the same
/// reason.

#include "envs/external/external_protocol.hpp"
#include "process/line_channel.hpp"

#include <mutex>

namespace brewery::external {

using child::child_command;
using child::child_process;
using child::line_channel;
using child::log_sink;

/// How a child is started, and the timeouts.
struct external_options {
  child_command command;
  std::chrono::milliseconds start_timeout{30'000}; ///< until its hello
  std::chrono::milliseconds step_timeout{60'000};  ///< reset, step and close
  std::chrono::milliseconds grade_timeout{120'000};
  log_sink log; ///< receives lines of standard error on any thread
  /// Receives what makes a run slow, once for each reason; empty: `log` does.
  log_sink warn{};
};

class external_child {
public:
  /// Errors: those of child_process::start, line_channel and read_hello.
  static result<std::shared_ptr<external_child>>
  start(const external_options& options);

  [[nodiscard]] const hello_reply& about() const { return about_; }
  /// A hash of its whole hello.
  [[nodiscard]] const std::string& fingerprint() const { return fingerprint_; }

  /// `line` makes the request line for a request number. All errors are
  /// ec::environment and name `what`, the reason and the child's last words.
  result<json> ask(const std::string& what,
                   const std::function<std::string(std::uint64_t)>& line,
                   std::chrono::milliseconds patience);

  /// The error for a reply that is well formed but does not fit the request.
  error violated(const std::string& what, const error& why);

  /// Whether it can take another rollout. Does not wait for requests of others.
  bool well();
  /// Whether it ended itself, or was killed after an error.
  [[nodiscard]] bool broken() const;

  void close_input();
  void end(std::chrono::milliseconds patience);

private:
  external_child(child_process process, const external_options& options);
  result<void> introduce(std::chrono::milliseconds patience);
  error break_off(const std::string& what, const std::string& why);

  mutable std::mutex mutex_;
  line_channel channel_; ///< guarded by mutex_, like the next two
  std::uint64_t asked_ = 0;
  std::string broken_; ///< the reason; empty: it works
  hello_reply about_;
  std::string fingerprint_;
};

} // namespace brewery::external

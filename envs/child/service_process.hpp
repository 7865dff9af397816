#pragma once
/// A service in a child process that is there when it is asked: started at the
/// first request, started again after it broke, with growing pauses while that
/// does not help. For many threads at once. Every start is an incarnation;
/// whoever keeps something in the service asks only the one that has it.

#include "envs/child/service_channel.hpp"

#include <memory>

namespace brewery::child {

struct service_options {
  std::string name; ///< for messages and the log: "kernel host"
  child_command command;
  /// A member of hello that says that it is what it should be.
  std::string hello_member;
  std::chrono::milliseconds start_timeout{30'000};
  /// How long one that has worked here, or that somebody kills, is started
  /// again before whoever asks is refused.
  std::chrono::milliseconds start_patience{30'000};
  std::chrono::milliseconds end_patience{5'000}; ///< to clean up
  log_sink log; ///< of its standard error; may be called on any thread
};

struct service_reply {
  json body;
  std::uint64_t incarnation = 0; ///< from 1
};

class service_process {
public:
  explicit service_process(service_options options);
  ~service_process();
  service_process(const service_process&) = delete;
  service_process& operator=(const service_process&) = delete;

  /// Starts it if need be. Errors: ec::exhausted when it cannot be started.
  result<json> hello();

  /// All errors but ec::exhausted are ec::environment and name the service.
  /// `only`: an incarnation, or 0 for whichever there is; when it is gone that
  /// is an error.
  result<service_reply> ask(json request, std::chrono::milliseconds patience,
                            std::uint64_t only = 0);

  /// Ends it; who asks next has it started again.
  void rest();

  /// Of the incarnation that runs, 0 when none does. For tests and figures.
  [[nodiscard]] std::uint64_t incarnation() const;

private:
  using time_point = std::chrono::steady_clock::time_point;
  struct running {
    std::shared_ptr<service_channel> channel;
    json hello;
    std::uint64_t incarnation = 0;
  };

  result<running> current();
  result<running> start();
  void count_failure(const error& why);
  bool given_up() const;
  error refusal() const;

  const service_options options_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  running now_; ///< guarded by mutex_, as all below
  bool starting_ = false;
  bool served_ = true; ///< the last incarnation answered somebody
  std::uint64_t incarnations_ = 0;
  std::uint32_t failures_ = 0; ///< in a row
  error last_failure_;
  time_point failing_since_; ///< the first of them
  time_point next_start_;
};

} // namespace brewery::child

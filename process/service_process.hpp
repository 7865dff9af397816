#pragma once
/// A service in a child process, started on demand. The first request starts
/// it. After a failure it is started again, with growing pauses while starts
/// keep failing. Thread-safe. Every start is an incarnation. Callers that store
/// something in the service send requests only to the incarnation that has it.

#include "process/service_channel.hpp"
#include "process/start_failures.hpp"

#include <memory>

namespace brewery::child {

struct service_options {
  std::string name; ///< for messages and the log: "kernel host"
  child_command command;
  /// A member of hello that identifies the service.
  std::string hello_member;
  std::chrono::milliseconds start_timeout{30'000};
  /// How long the service is started again before requests are refused, if it
  /// has worked here before or was killed from outside.
  std::chrono::milliseconds start_patience{30'000};
  std::chrono::milliseconds end_patience{5'000}; ///< to clean up at the end
  log_sink log; ///< for its standard error; called on any thread
};

struct service_reply {
  json body;
  std::uint64_t incarnation = 0; ///< counts from 1
};

class service_process {
public:
  explicit service_process(service_options options);
  ~service_process();
  service_process(const service_process&) = delete;
  service_process& operator=(const service_process&) = delete;

  /// Starts the service if needed. Error ec::exhausted if it cannot be started.
  result<json> hello();

  /// `patience` begins anew whenever the service says that the request waits
  /// for its turn.
  /// All errors except ec::exhausted are ec::environment and name the service.
  /// `only` is an incarnation, or 0 for any; it is an error if that one is
  /// gone.
  result<service_reply> ask(json request, std::chrono::milliseconds patience,
                            std::uint64_t only = 0);

  /// Ends the service; the next request starts it again.
  void release_children();

  /// The running incarnation, 0 if none. For tests and figures.
  [[nodiscard]] std::uint64_t incarnation() const;

private:
  struct running {
    std::shared_ptr<service_channel> channel;
    json hello;
    std::uint64_t incarnation = 0;
  };

  result<running> current();
  result<running> start();
  error refusal() const;

  const service_options options_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  running now_; ///< guarded by mutex_, like all below
  bool starting_ = false;
  bool served_ = true; ///< the last incarnation answered a request
  std::uint64_t incarnations_ = 0;
  start_failures failures_;
};

} // namespace brewery::child

#pragma once
/// Finds the broker of a run, for questions of remote workers. Thread-safe. One
/// per process.

#include "actors/model_broker.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <mutex>

namespace brewery {

class broker_registry {
public:
  void open(const run_id& run, std::shared_ptr<model_broker> broker);
  void close(const run_id& run);
  void ask(const run_id& run, const model_call& call,
           std::function<void(result<model_answer>)> done) const;

  /// See `model_broker`. Nothing if the run has no language model here.
  void ask_anew(const run_id& run, const job_id& job) const;

  /// For the end of the process: no call begins any more. Waits for calls at
  /// their servers, which are paid, but not for long; then it ends them.
  void end_calls(std::chrono::milliseconds grace);

private:
  [[nodiscard]] std::shared_ptr<model_broker> find(const run_id& run) const;
  mutable std::mutex mutex_;
  std::map<run_id, std::shared_ptr<model_broker>> brokers_;
  bool ended_ = false; ///< brokers that are opened now refuse calls
};

} // namespace brewery

#include "run/broker_registry.hpp"

#include <fmt/format.h>

#include <vector>

namespace brewery {

void broker_registry::open(const run_id& run,
                           std::shared_ptr<model_broker> broker) {
  const std::lock_guard lock{mutex_};
  if (ended_) broker->refuse_calls();
  brokers_[run] = std::move(broker);
}

void broker_registry::end_calls(std::chrono::milliseconds grace) {
  const auto until = std::chrono::steady_clock::now() + grace;
  std::vector<std::shared_ptr<model_broker>> all;
  {
    const std::lock_guard lock{mutex_};
    ended_ = true;
    for (const auto& [run, broker] : brokers_)
      all.push_back(broker);
  }
  for (const auto& broker : all)
    broker->refuse_calls();
  for (const auto& broker : all)
    broker->end_calls(until);
}

void broker_registry::close(const run_id& run) {
  const std::lock_guard lock{mutex_};
  brokers_.erase(run);
}

std::shared_ptr<model_broker> broker_registry::find(const run_id& run) const {
  const std::lock_guard lock{mutex_};
  const auto found = brokers_.find(run);
  return found == brokers_.end() ? nullptr : found->second;
}

void broker_registry::ask(
    const run_id& run, const model_call& call,
    std::function<void(result<model_answer>)> done) const {
  const auto broker = find(run);
  if (!broker)
    return done(
        error{ec::not_found,
              fmt::format("run {} has no language model here", run.value)});
  broker->ask(call, std::move(done));
}

void broker_registry::ask_anew(const run_id& run, const job_id& job) const {
  if (const auto broker = find(run)) broker->ask_anew(job);
}

} // namespace brewery

#include "run/broker_registry.hpp"

#include <fmt/format.h>

namespace brewery {

void broker_registry::open(const run_id& run,
                           std::shared_ptr<model_broker> broker) {
  const std::lock_guard lock{mutex_};
  brokers_[run] = std::move(broker);
}

void broker_registry::close(const run_id& run) {
  const std::lock_guard lock{mutex_};
  brokers_.erase(run);
}

void broker_registry::ask(
    const run_id& run, const model_call& call,
    std::function<void(result<model_answer>)> done) const {
  std::shared_ptr<model_broker> broker;
  {
    const std::lock_guard lock{mutex_};
    if (const auto found = brokers_.find(run); found != brokers_.end())
      broker = found->second;
  }
  if (!broker)
    return done(
        error{ec::not_found,
              fmt::format("run {} has no language model here", run.value)});
  broker->ask(call, std::move(done));
}

} // namespace brewery

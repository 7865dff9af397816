#include "apps/desk_directory.hpp"

#include <fmt/format.h>

namespace brewery {

void desk_directory::open(const search_id& run,
                          std::shared_ptr<model_desk> desk) {
  const std::lock_guard lock{mutex_};
  desks_[run] = std::move(desk);
}

void desk_directory::close(const search_id& run) {
  const std::lock_guard lock{mutex_};
  desks_.erase(run);
}

void desk_directory::ask(const search_id& run, const model_call& call,
                         std::function<void(result<model_answer>)> done) const {
  std::shared_ptr<model_desk> desk;
  {
    const std::lock_guard lock{mutex_};
    if (const auto found = desks_.find(run); found != desks_.end())
      desk = found->second;
  }
  if (!desk)
    return done(error{ec::not_found,
                      fmt::format("run {} asks no models here", run.value)});
  desk->ask(call, std::move(done));
}

} // namespace brewery

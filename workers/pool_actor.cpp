#include "workers/pool_actor.hpp"

#include <algorithm>

namespace brewery {

namespace {

using self_ptr = pool_actor::stateful_pointer<pool_state>;

using seconds = std::chrono::duration<double>;

void report(const pool_state& state) {
  const auto& observer = state.observer;
  if (observer.on_load)
    observer.on_load(state.queue.queued(), state.started.size());
  if (!observer.on_oldest) return;
  auto oldest = pool_state::clock::now();
  const auto now = oldest;
  for (const auto& [worker, since] : state.started)
    oldest = std::min(oldest, since);
  observer.on_oldest(seconds(now - oldest).count());
}

void assign(self_ptr self) {
  auto& state = state_of(self);
  while (auto next = state.queue.next()) {
    const auto who = next->worker;
    auto promise = next->waiter.promise;
    const auto now = pool_state::clock::now();
    state.started[who] = now;
    if (state.observer.on_start)
      state.observer.on_start(seconds(now - next->waiter.since).count());
    const auto finish = [self, who] {
      state_of(self).started.erase(who);
      state_of(self).queue.release(who);
      assign(self);
    };
    ask(self, state.workers[who], caf::infinite, atom::run_v,
        std::move(next->work))
        .then(
            [promise, finish](job_result& answer) mutable {
              promise.deliver(std::move(answer));
              finish();
            },
            [promise, finish](caf::error& err) mutable {
              promise.deliver(err);
              finish();
            });
  }
  report(state);
}

} // namespace

pool_actor::behavior_type pool(self_ptr self, std::vector<worker_actor> workers,
                               pool_observer observer) {
  auto& state = state_of(self);
  state.queue = task_queue<pool_state::waiter>{workers.size()};
  state.workers = std::move(workers);
  state.observer = std::move(observer);
  return {
      [self](atom::run, job& work) -> caf::result<job_result> {
        auto promise = self->make_response_promise<job_result>();
        state_of(self).queue.add(std::move(work),
                                 {promise, pool_state::clock::now()});
        assign(self);
        return promise;
      },
      [self](atom::stop) -> caf::result<void> {
        for (auto& waiting : state_of(self).queue.drop_queued())
          waiting.promise.deliver(
              to_caf({ec::cancelled, "the run was told to stop"}));
        report(state_of(self));
        return caf::unit;
      },
  };
}

} // namespace brewery

#include "workers/pool_actor.hpp"

namespace brewery {

namespace {

using self_ptr = pool_actor::stateful_pointer<pool_state>;

void report(const pool_state& state) {
  if (state.on_change)
    state.on_change(state.queue.queued(),
                    state.workers.size() - state.queue.idle());
}

void assign(self_ptr self) {
  auto& state = state_of(self);
  while (auto next = state.queue.next()) {
    const auto who = next->worker;
    auto promise = next->waiter;
    const auto finish = [self, who] {
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

pool_actor::behavior_type
pool(self_ptr self, std::vector<worker_actor> workers,
     std::function<void(std::size_t, std::size_t)> on_change) {
  auto& state = state_of(self);
  state.queue = task_queue<pool_state::promise>{workers.size()};
  state.workers = std::move(workers);
  state.on_change = std::move(on_change);
  return {
      [self](atom::run, job& work) -> caf::result<job_result> {
        auto promise = self->make_response_promise<job_result>();
        state_of(self).queue.add(std::move(work), promise);
        assign(self);
        return promise;
      },
      [self](atom::stop) -> caf::result<void> {
        for (auto& promise : state_of(self).queue.drop_queued())
          promise.deliver(to_caf({ec::cancelled, "the run was told to stop"}));
        report(state_of(self));
        return caf::unit;
      },
  };
}

} // namespace brewery

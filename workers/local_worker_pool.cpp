#include "workers/local_worker_pool.hpp"

namespace brewery {

namespace {

using local_pool_self =
    worker_handle::stateful_pointer<local_worker_pool_state>;

void report(local_pool_self self, lease_result result) {
  auto& state = state_of(self);
  tell(self, state.pool, from_worker{state.number, {std::move(result)}});
}

/// All threads run the same program, so that another would fail alike, unless
/// something around it broke.
bool may_mend(const error& why) {
  return why.code == ec::exhausted || why.code == ec::environment
         || why.code == ec::disk_full;
}

void begin(local_pool_self self, const lease_order& order) {
  auto& state = state_of(self);
  BREWERY_ASSERT(!state.idle.empty()); // the pool counts slots
  const auto thread = state.idle.back();
  state.idle.pop_back();
  ask(self, state.threads[thread], caf::infinite, atom::run_v, order.key.run,
      *order.work)
      .then(
          [self, thread, key = order.key](packed_result& answer) {
            state_of(self).idle.push_back(thread);
            report(
                self,
                {key, std::make_shared<packed_result>(std::move(answer)), {}});
          },
          [self, thread, key = order.key](const caf::error& err) {
            state_of(self).idle.push_back(thread);
            const auto why = from_caf(err);
            report(self, {key, nullptr, to_string(why), !may_mend(why)});
          });
}

} // namespace

worker_handle::behavior_type
local_worker_pool(local_pool_self self, pool_actor pool,
                  std::vector<worker_actor> threads) {
  auto& state = state_of(self);
  state.pool = std::move(pool);
  state.threads = std::move(threads);
  joining_worker me;
  me.spec.name = "local";
  me.spec.incarnation = "local";
  me.spec.slots = static_cast<std::uint32_t>(state.threads.size());
  me.spec.kinds = {job_kind::rollout, job_kind::integrate, job_kind::embed,
                   job_kind::memory};
  me.spec.benchmarks = {"*"};
  me.member = worker_handle{self};
  for (std::size_t i = state.threads.size(); i > 0; --i)
    state.idle.push_back(i - 1);
  ask(self, state.pool, caf::infinite, me)
      .then(
          [self](const joined_worker& joined) {
            state_of(self).number = joined.worker;
          },
          [self](const caf::error& err) { self->quit(err); });
  return {[self](const to_worker& message) -> caf::result<void> {
    // A job on a thread cannot be revoked; its result is ignored.
    for (const auto& order : message.orders)
      if (const auto* lease = std::get_if<lease_order>(&order))
        begin(self, *lease);
    return caf::unit;
  }};
}

} // namespace brewery

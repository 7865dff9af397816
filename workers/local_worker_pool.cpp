#include "workers/local_worker_pool.hpp"

namespace brewery {

namespace {

using local_pool_self =
    worker_handle::stateful_pointer<local_worker_pool_state>;

/// How long a lease waits for a thread.
constexpr std::chrono::seconds patience{1};

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

void begin_waiting(local_pool_self self);

void begin(local_pool_self self, const lease_order& order) {
  auto& state = state_of(self);
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
            begin_waiting(self);
          },
          [self, thread, key = order.key](const caf::error& err) {
            state_of(self).idle.push_back(thread);
            const auto why = from_caf(err);
            report(self, {key, nullptr, to_string(why), !may_mend(why)});
            begin_waiting(self);
          });
}

void begin_waiting(local_pool_self self) {
  auto& state = state_of(self);
  while (!state.idle.empty() && !state.waiting.empty()) {
    const auto next = std::move(state.waiting.front());
    state.waiting.pop_front();
    begin(self, next);
  }
}

/// The time of a lease runs although nobody is at work at it: its job would
/// pass for one that hangs. Jobs that are under way go on.
void give_back(local_pool_self self, const lease_key& key) {
  auto& state = state_of(self);
  if (std::erase_if(state.waiting,
                    [&](const auto& one) { return one.key == key; })
      > 0)
    tell(self, state.pool, from_worker{state.number, {leases_returned{{key}}}});
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
    // A job on a thread cannot be revoked: its result is ignored. Until then
    // the pool counts a slot as free whose thread is not.
    for (const auto& order : message.orders)
      if (const auto* lease = std::get_if<lease_order>(&order))
        state_of(self).waiting.push_back(*lease);
      else if (const auto* ended = std::get_if<lease_ended>(&order))
        give_back(self, ended->key);
    begin_waiting(self);
    for (const auto& late : state_of(self).waiting)
      tell_after(self, worker_handle{self}, patience,
                 to_worker{{lease_ended{late.key}}});
    return caf::unit;
  }};
}

} // namespace brewery

#include "workers/pool_actor.hpp"

#include "workers/steady_now.hpp"

#include <chrono>
#include <utility>

namespace brewery {

namespace {

using pool_self = pool_actor::stateful_pointer<pool_state>;
using seconds = std::chrono::duration<double>;

constexpr std::chrono::milliseconds tick_every{250};

void answer(pool_state& state, finished_job& answered) {
  auto asked = state.askers.extract(answered.asker);
  if (asked.empty()) return;
  if (answered.answer)
    asked.mapped().deliver(std::move(*answered.answer));
  else
    asked.mapped().deliver(to_caf(answered.answer.error()));
}

void send(pool_self self, std::vector<order_batches::batch> batches) {
  auto& state = state_of(self);
  for (auto& [worker, orders] : batches)
    if (const auto it = state.members.find(worker); it != state.members.end())
      tell(self, it->second, to_worker{std::move(orders)});
}

/// Orders go when the messages are done that have come by now: those of one
/// worker are then more, and go together.
void send_soon(pool_self self) {
  auto& state = state_of(self);
  const bool all = state.all_at && *state.all_at <= state.in.now();
  if (state.orders.is_due() || all) {
    if (!std::exchange(state.sends_soon, true))
      tell(self, pool_actor{self}, atom::grant_v);
  } else if (!state.orders.empty() && !state.all_at) {
    state.all_at = state.in.now() + order_batches::hold_for;
    tell_after(self, pool_actor{self}, order_batches::hold_for, atom::grant_v);
  }
}

void tell_slots(const pool_state& state) {
  if (const auto& observer = state.in.observer; observer.on_slots)
    observer.on_slots(state.core->table().counts().slots);
}

void carry_out(pool_self self, pool_step step) {
  auto& state = state_of(self);
  const auto& observer = state.in.observer;
  for (const auto worker : step.left) {
    state.members.erase(worker);
    state.orders.forget(worker);
  }
  if (!step.left.empty()) tell_slots(state);
  if (observer.on_start)
    for (const auto waited : step.waited)
      observer.on_start(seconds(waited).count());
  if (observer.on_quarantine)
    for (const auto& job : step.given_up)
      observer.on_quarantine(job);
  if (observer.on_retry)
    for (const auto& [run, failed] : step.retried)
      observer.on_retry(run, failed);
  for (auto& [worker, order] : step.orders)
    state.orders.add(worker, std::move(order));
  send_soon(self);
  for (auto& answered : step.answers)
    answer(state, answered);
  for (auto& offer : step.offers)
    if (const auto it = state.ledgers.find(offer.run);
        it != state.ledgers.end() && it->second)
      tell(self, it->second, atom::offer_v, std::move(offer.answer));
}

caf::result<packed_result> run_job(pool_self self, run_id& run, job& work) {
  auto& state = state_of(self);
  const asker_id asker{++state.next_asker};
  auto promise = self->make_response_promise<packed_result>();
  state.askers.emplace(asker, promise);
  carry_out(self, state.core->run(run, std::move(work), asker, state.in.now()));
  return promise;
}

void open(pool_self self, const run_opening& about) {
  auto& state = state_of(self);
  state.ledgers[about.run] = about.ledger;
  state.core->open({about.run, about.share, about.benchmark, about.setup,
                    about.tags, about.benchmark_name, about.given_up});
}

void close(pool_self self, const run_id& run, bool journal_ended) {
  auto& state = state_of(self);
  carry_out(self, state.core->close(run, journal_ended, state.in.now()));
  send(self, state.orders.take_all()); // this may be the end of the program
  state.ledgers.erase(run);
}

caf::result<joined_worker> join(pool_self self, joining_worker& who) {
  auto& state = state_of(self);
  auto joined = state.core->join(std::move(who.spec), who.session, who.jobs,
                                 state.in.now());
  carry_out(self, std::move(joined.step));
  if (!joined.answer)
    return to_caf({ec::cancelled, "a later session of this worker has joined"});
  tell_slots(state);
  const auto worker = joined.answer->worker;
  state.members.emplace(worker, who.member);
  state.watched.watch(self, who.member, [self, worker](const caf::error&) {
    auto& current = state_of(self);
    carry_out(self, current.core->lost(worker, current.in.now()));
  });
  // Leases follow the answer, not the other way round.
  tell(self, pool_actor{self}, atom::grant_v);
  return std::move(*joined.answer);
}

void tick(pool_self self) {
  auto& state = state_of(self);
  const auto now = state.in.now();
  carry_out(self, state.core->tick(now));
  const auto& observer = state.in.observer;
  if (observer.on_load) {
    const auto& table = state.core->table();
    const auto oldest = table.oldest_lease();
    observer.on_load(table.counts(), state.core->loads(),
                     oldest ? seconds(now - *oldest).count() : 0);
  }
  if (observer.on_waiting)
    if (const auto why = state.core->news_of_waiting(now); !why.empty())
      observer.on_waiting(why);
  tell_after(self, pool_actor{self}, tick_every, atom::tick_v);
}

void grant(pool_self self) {
  auto& state = state_of(self);
  const auto now = state.in.now();
  state.sends_soon = true; // below
  carry_out(self, state.core->assign(now));
  state.sends_soon = false;
  const bool all = state.all_at && *state.all_at <= now;
  if (all) state.all_at.reset();
  send(self, all ? state.orders.take_all() : state.orders.take_due());
  send_soon(self); // what still waits
}

std::uint64_t drain(pool_self self, const std::string& name) {
  auto& state = state_of(self);
  auto drained = state.core->drain(name, state.in.now());
  carry_out(self, std::move(drained.step));
  return drained.workers;
}

} // namespace

pool_actor::behavior_type pool(pool_self self,
                               std::shared_ptr<pool_inputs> inputs) {
  auto& state = state_of(self);
  state.in = std::move(*inputs);
  if (!state.in.now) state.in.now = steady_now;
  state.core = std::make_unique<pool_core>(state.in.options, state.in.epoch);
  tell(self, pool_actor{self}, atom::tick_v);
  return {
      [self](atom::run, run_id& run, job& work) {
        return run_job(self, run, work);
      },
      [self](atom::journalled, const run_id& run,
             const job_id& job) -> caf::result<void> {
        carry_out(self, state_of(self).core->journalled(run, job));
        return caf::unit;
      },
      [self](atom::stop, const run_id& run) -> caf::result<void> {
        carry_out(self, state_of(self).core->stop(run));
        return caf::unit;
      },
      [self](const run_opening& about) -> caf::result<void> {
        open(self, about);
        return caf::unit;
      },
      [self](const share_change& change) -> caf::result<void> {
        auto& current = state_of(self);
        carry_out(self, current.core->set_share(change.run, change.share,
                                                current.in.now()));
        return caf::unit;
      },
      [self](atom::close, const run_id& run,
             bool journal_ended) -> caf::result<void> {
        close(self, run, journal_ended);
        return caf::unit;
      },
      [self](joining_worker& who) -> caf::result<joined_worker> {
        return join(self, who);
      },
      [self](from_worker& message) -> caf::result<void> {
        auto& current = state_of(self);
        carry_out(self, current.core->report(message.worker,
                                             std::move(message.reports),
                                             current.in.now()));
        return caf::unit;
      },
      [self](const log_change& what) -> caf::result<void> {
        auto& current = state_of(self);
        carry_out(self,
                  current.core->pause(what.run, what.log, current.in.now()));
        return caf::unit;
      },
      [self](atom::status) -> caf::result<pool_status_ptr> {
        return std::make_shared<const pool_status>(
            state_of(self).core->status());
      },
      [self](atom::drain, const std::string& name)
          -> caf::result<std::uint64_t> { return drain(self, name); },
      [self](atom::tick) -> caf::result<void> {
        tick(self);
        return caf::unit;
      },
      [self](atom::grant) -> caf::result<void> {
        grant(self);
        return caf::unit;
      },
  };
}

} // namespace brewery

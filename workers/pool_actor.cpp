#include "workers/pool_actor.hpp"

#include "cluster/answer.hpp"
#include "cluster/facts.hpp"

#include <chrono>

namespace brewery {

namespace {

using self_ptr = pool_actor::stateful_pointer<pool_state>;
using seconds = std::chrono::duration<double>;
using open_search = pool_state::open_search;

constexpr std::chrono::milliseconds tick_every{250};

instant steady_now() {
  return std::chrono::duration_cast<instant>(
      std::chrono::steady_clock::now().time_since_epoch());
}

void send(self_ptr self, worker_id worker, to_worker message) {
  const auto& members = state_of(self).members;
  if (const auto it = members.find(worker); it != members.end())
    tell(self, it->second, std::move(message));
}

void assign(self_ptr self) {
  auto& state = state_of(self);
  for (auto& granted : state.table->assign(state.in.now())) {
    const auto& search = state.searches.at(granted.key.search);
    if (state.in.observer.on_start)
      state.in.observer.on_start(seconds(granted.waited).count());
    const auto& work = search.jobs.at(granted.key.job).work;
    send(self, granted.worker,
         {lease_order{granted.key, work, search.about.setup}});
  }
}

void end_leases(self_ptr self, const std::vector<revoked_lease>& leases) {
  for (const auto& revoked : leases)
    send(self, revoked.worker, {lease_ended{revoked.key}});
}

/// The verdict goes to whoever asked, like a result.
void give_up(self_ptr self, const std::vector<quarantined_job>& jobs) {
  auto& state = state_of(self);
  for (const auto& job : jobs) {
    if (state.in.observer.on_quarantine) state.in.observer.on_quarantine(job);
    auto& search = state.searches.at(job.search);
    const auto it = search.jobs.find(job.job);
    if (it == search.jobs.end()) continue;
    it->second.promise.deliver(
        quarantine_verdict(*it->second.work, job.reason));
    search.jobs.erase(it);
  }
}

void settle(self_ptr self, open_search& search, const job_id& job,
            result_verdict verdict) {
  const auto it = search.unsettled.find(job);
  if (it == search.unsettled.end()) return;
  for (const auto& [worker, key] : it->second)
    send(self, worker, {result_settled{key, verdict}});
  search.unsettled.erase(it);
}

caf::result<job_result> run(self_ptr self, search_id& id, job& work) {
  auto& state = state_of(self);
  const auto it = state.searches.find(id);
  if (it == state.searches.end())
    return to_caf({ec::internal, "no search " + id.value + " is open"});
  auto promise = self->make_response_promise<job_result>();
  auto facts = facts_of(work, it->second.about.benchmark);
  const auto job = work.id;
  it->second.jobs[job] = {std::make_shared<const brewery::job>(std::move(work)),
                          promise};
  state.table->submit(id, std::move(facts), state.in.now());
  assign(self);
  return promise;
}

/// The journal has it, whoever made it.
void kept(self_ptr self, const search_id& id, const job_id& job) {
  auto& state = state_of(self);
  const auto it = state.searches.find(id);
  if (it == state.searches.end()) return;
  state.table->forget(id, job);
  settle(self, it->second, job, result_verdict::kept);
  // Asked for while an offered result was on its way to the journal: the
  // ledger knows it by now and takes any answer.
  if (const auto asked = it->second.jobs.find(job);
      asked != it->second.jobs.end()) {
    asked->second.promise.deliver(job_result{job, {}, {}, {}, {}});
    it->second.jobs.erase(asked);
  }
}

void stop(self_ptr self, const search_id& id) {
  auto& state = state_of(self);
  const auto it = state.searches.find(id);
  if (it == state.searches.end()) return;
  it->second.stopped = true;
  for (const auto& job : state.table->drop_queued(id))
    if (auto asked = it->second.jobs.extract(job); !asked.empty())
      asked.mapped().promise.deliver(
          to_caf({ec::cancelled, "the run was told to stop"}));
}

void pause(self_ptr self, const search_id& id, bool stuck) {
  auto& state = state_of(self);
  if (stuck && state.searches.contains(id))
    state.stuck.insert(id);
  else
    state.stuck.erase(id);
  state.table->pause(!state.stuck.empty());
  assign(self);
}

void close(self_ptr self, const search_id& id) {
  auto& state = state_of(self);
  pause(self, id, false); // its journal may end before it could write again
  end_leases(self, state.table->close_search(id));
  if (auto search = state.searches.extract(id); !search.empty())
    for (auto& [job, asked] : search.mapped().jobs)
      asked.promise.deliver(to_caf({ec::cancelled, "the search was closed"}));
}

// -- workers -----------------------------------------------------------------

void leave(self_ptr self, worker_id worker, job_table::departure how) {
  auto& state = state_of(self);
  state.members.erase(worker);
  give_up(self, state.table->leave(worker, how, state.in.now()));
  assign(self);
}

joined_worker join(self_ptr self, joining_worker& who) {
  auto& state = state_of(self);
  const auto now = state.in.now();
  if (const auto before = state.table->session_of(who.facts.incarnation))
    state.members.erase(*before);
  joined_worker out;
  out.worker = state.table->join(std::move(who.facts), now);
  const auto member = who.member;
  state.members.emplace(out.worker, member);
  state.watched.watch(self, member, [self, id = out.worker](const caf::error&) {
    leave(self, id, job_table::departure::lost);
  });
  for (const auto& held : who.held) {
    const auto& key = held.key;
    auto kept = state.table->adopt(out.worker, key.search, key.job, now);
    if (!kept) continue;
    if (kept->delivered)
      state.searches.at(key.search)
          .unsettled[key.job]
          .emplace_back(out.worker, kept->key);
    out.adopted.push_back(std::move(*kept));
  }
  // Leases follow the answer, not the other way round.
  tell(self, pool_actor{self}, atom::submit_v);
  return out;
}

/// Null while nobody has asked for it.
const job* asked_for(const pool_state& state, const lease_key& key) {
  const auto search = state.searches.find(key.search);
  if (search == state.searches.end()) return nullptr;
  const auto asked = search->second.jobs.find(key.job);
  return asked == search->second.jobs.end() ? nullptr
                                            : asked->second.work.get();
}

void take_back(self_ptr self, worker_id worker, const lease_key& key) {
  auto& state = state_of(self);
  state.table->give_back(worker, key, state.in.now());
  send(self, worker, {result_settled{key, result_verdict::stale}});
  const auto search = state.searches.find(key.search);
  if (search != state.searches.end() && search->second.stopped)
    stop(self, key.search);
  assign(self);
}

void on(self_ptr self, worker_id worker, lease_result& message) {
  auto& state = state_of(self);
  const auto& key = message.key;
  if (is_let_go(message.error)) return take_back(self, worker, key);
  if (message.error.empty())
    message.error = complaint_about(*message.result, asked_for(state, key));
  const auto outcome =
      state.table->finish(worker, key, message.error, state.in.now());
  end_leases(self, outcome.revoked);
  give_up(self, outcome.given_up);
  using kind = finish_outcome::kind;
  if (outcome.what != kind::accepted) {
    send(self, worker,
         {result_settled{key, outcome.what == kind::stale
                                  ? result_verdict::stale
                                  : result_verdict::kept}});
    return assign(self);
  }
  auto& search = state.searches.at(key.search);
  search.unsettled[key.job].emplace_back(worker, key);
  auto asked = search.jobs.extract(key.job);
  if (!asked.empty())
    asked.mapped().promise.deliver(std::move(*message.result));
  else if (search.about.ledger)
    tell(self, search.about.ledger, atom::offer_v, std::move(*message.result));
  assign(self);
}

void on(self_ptr self, worker_id worker, const leases_returned& message) {
  auto& state = state_of(self);
  for (const auto& key : message.keys)
    state.table->give_back(worker, key, state.in.now());
  assign(self);
}

void on(self_ptr self, worker_id worker, const worker_drains&) {
  state_of(self).table->drain(worker);
}

void on(self_ptr self, worker_id worker, const worker_leaves& message) {
  leave(self, worker, message.how);
}

std::uint64_t drain(self_ptr self, const std::string& name) {
  auto& state = state_of(self);
  std::uint64_t count = 0;
  for (const auto& worker : state.table->workers()) {
    if (worker.facts.name != name && worker.facts.incarnation != name) continue;
    ++count;
    state.table->drain(worker.id);
    send(self, worker.id, {drain_worker{"an operator asked for it"}});
  }
  return count;
}

// -- time and views ----------------------------------------------------------

void tick(self_ptr self) {
  auto& state = state_of(self);
  const auto now = state.in.now();
  const auto overdue = state.table->tick(now);
  end_leases(self, overdue.revoked);
  give_up(self, overdue.given_up);
  assign(self);
  const auto& observer = state.in.observer;
  if (observer.on_load) {
    const auto oldest = state.table->oldest_lease();
    observer.on_load(state.table->counts(),
                     oldest ? seconds(now - *oldest).count() : 0);
  }
  if (observer.on_waiting) {
    // Numbers change all the time; a new reason is news.
    auto why = state.table->why_waiting();
    std::vector<std::string> reasons;
    for (auto line : why) {
      std::erase_if(line, [](char c) { return c >= '0' && c <= '9'; });
      reasons.push_back(std::move(line));
    }
    if (reasons != state.waiting) observer.on_waiting(why);
    state.waiting = std::move(reasons);
  }
  tell_after(self, pool_actor{self}, tick_every, atom::tick_v);
}

pool_status_ptr status(const pool_state& state) {
  auto out = std::make_shared<pool_status>();
  out->paused = state.table->paused();
  out->counts = state.table->counts();
  out->workers = state.table->workers();
  out->quarantine.assign(state.table->quarantine().begin(),
                         state.table->quarantine().end());
  out->waiting = state.table->why_waiting();
  return out;
}

} // namespace

pool_actor::behavior_type pool(self_ptr self,
                               std::shared_ptr<pool_inputs> inputs) {
  auto& state = state_of(self);
  state.in = std::move(*inputs);
  if (!state.in.now) state.in.now = steady_now;
  state.table = std::make_unique<job_table>(state.in.options, state.in.epoch);
  tell(self, pool_actor{self}, atom::tick_v);
  return {
      [self](atom::run, search_id& search, job& work) {
        return run(self, search, work);
      },
      [self](atom::kept, const search_id& search,
             const job_id& job) -> caf::result<void> {
        kept(self, search, job);
        return caf::unit;
      },
      [self](atom::stop, const search_id& search) -> caf::result<void> {
        stop(self, search);
        return caf::unit;
      },
      [self](const search_opening& about) -> caf::result<void> {
        auto& held = state_of(self);
        held.table->open_search(about.search, about.share);
        held.searches[about.search].about = about;
        return caf::unit;
      },
      [self](atom::close, const search_id& search) -> caf::result<void> {
        close(self, search);
        return caf::unit;
      },
      [self](joining_worker& who) -> caf::result<joined_worker> {
        return join(self, who);
      },
      [self](from_worker& message) -> caf::result<void> {
        std::visit([&](auto& what) { on(self, message.worker, what); },
                   message.what);
        return caf::unit;
      },
      [self](atom::pause, const search_id& search,
             bool stuck) -> caf::result<void> {
        pause(self, search, stuck);
        return caf::unit;
      },
      [self](atom::status) -> caf::result<pool_status_ptr> {
        return status(state_of(self));
      },
      [self](atom::drain, const std::string& name)
          -> caf::result<std::uint64_t> { return drain(self, name); },
      [self](atom::tick) -> caf::result<void> {
        tick(self);
        return caf::unit;
      },
      [self](atom::submit) -> caf::result<void> {
        assign(self);
        return caf::unit;
      },
  };
}

} // namespace brewery

#include "cluster/table/job_table.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace brewery {

bool job_table::goes_first::operator()(const job_entry* a,
                                       const job_entry* b) const {
  if (a->spec.holds_slot != b->spec.holds_slot) return a->spec.holds_slot;
  if (a->first_in_line != b->first_in_line) return a->first_in_line;
  if (a->spec.stages_after != b->spec.stages_after)
    return a->spec.stages_after > b->spec.stages_after;
  if (a->chain != b->chain) return a->chain > b->chain;
  return a->order < b->order;
}

job_table::job_table(const cluster_options& options, std::uint64_t epoch)
    : options_(options), epoch_(epoch) {}

// -- runs --------------------------------------------------------------------

void job_table::open_run(const run_id& run, run_share share,
                         std::size_t given_up) {
  auto& opened = runs_[run];
  opened.id = run;
  opened.share = share;
  counts_.quarantined += given_up - opened.given_up;
  opened.given_up = given_up;
}

void job_table::set_share(const run_id& run, run_share share) {
  const auto it = runs_.find(run);
  if (it == runs_.end()) return;
  auto& changed = it->second;
  // Work per weight is compared among runs of one priority only.
  if (share.priority != changed.share.priority)
    changed.work_per_weight = served_[share.priority];
  changed.share = share;
}

std::vector<revoked_lease> job_table::close_run(const run_id& run) {
  const auto it = runs_.find(run);
  if (it == runs_.end()) return {};
  std::vector<revoked_lease> out;
  auto& jobs = it->second.jobs;
  while (!jobs.empty()) {
    auto& job = jobs.begin()->second;
    for (const auto& holder : job.leases)
      out.push_back(
          {holder.worker, {run, job.spec.id, holder.attempt, epoch_}});
    while (!job.leases.empty())
      end_lease(job, job.leases.back().worker);
    erase(job);
  }
  counts_.quarantined -= it->second.given_up;
  std::erase_if(quarantine_, [&](const auto& job) { return job.run == run; });
  runs_.erase(it);
  return out;
}

std::vector<job_id> job_table::drop_queued(const run_id& run) {
  std::vector<job_id> out;
  const auto it = runs_.find(run);
  if (it == runs_.end()) return out;
  std::vector<job_entry*> dropped;
  for (auto& [id, job] : it->second.jobs)
    if (job.state == job_state::queued) dropped.push_back(&job);
  for (auto* job : dropped) {
    out.push_back(job->spec.id);
    erase(*job);
  }
  return out;
}

// -- jobs --------------------------------------------------------------------

job_table::job_entry* job_table::find(const run_id& run, const job_id& job) {
  const auto it = runs_.find(run);
  if (it == runs_.end()) return nullptr;
  const auto found = it->second.jobs.find(job);
  return found == it->second.jobs.end() ? nullptr : &found->second;
}

bool job_table::submit(const run_id& run, job_spec spec, microseconds now) {
  auto& owner = runs_.at(run);
  const auto [it, fresh] = owner.jobs.try_emplace(spec.id);
  auto& job = it->second;
  // Only now it is known what an adopted job needs.
  for (const auto& holder : job.leases)
    free_slot(holder.worker, job);
  job.spec = std::move(spec);
  job.expected = expected_of(job.spec);
  for (const auto& holder : job.leases)
    take_slot(holder.worker, job);
  job.predicted =
      durations_.predict(job.spec.needs.kind, job.spec.duration_key);
  job.chain = job.predicted + predicted_after(job.spec);
  job.spec.then.clear(); // not needed again
  job.guessed = !durations_.expect(job.spec.needs.kind, job.spec.duration_key);
  if (!fresh) { // adopted before it was asked for
    job.submitted = true;
    return job.state != job_state::delivered;
  }
  job.owner = &owner;
  job.order = next_order_++;
  enqueue(job, now);
  return true;
}

microseconds job_table::predicted_after(const job_spec& spec) const {
  microseconds out{0};
  for (const auto& wave : spec.then) {
    microseconds longest{0};
    for (const auto& key : wave)
      longest = std::max(longest, durations_.predict(spec.needs.kind, key));
    out += longest;
  }
  return out;
}

void job_table::enqueue(job_entry& job, microseconds now) {
  auto& owner = *job.owner;
  if (owner.queued == 0) {
    // An idle run does not accumulate credit.
    owner.work_per_weight =
        std::max(owner.work_per_weight, served_[owner.share.priority]);
  }
  job.state = job_state::queued;
  job.queued_at = now;
  ++owner.queued;
  ++counts_.queued;
  if (job.failures.empty())
    owner.queues[job.spec.needs].insert(&job);
  else
    owner.retries.push_back(&job);
}

void job_table::dequeue(job_entry& job) {
  auto& owner = *job.owner;
  --owner.queued;
  --counts_.queued;
  if (job.failures.empty())
    owner.queues[job.spec.needs].erase(&job);
  else
    std::erase(owner.retries, &job);
}

void job_table::erase(job_entry& job) {
  if (job.state == job_state::queued) dequeue(job);
  if (job.state == job_state::delivered) --counts_.delivered;
  if (job.blamed)
    for (auto& [id, worker] : workers_)
      worker.failed_lately.erase(&job);
  const auto id = job.spec.id;
  job.owner->jobs.erase(id);
}

void job_table::forget(const run_id& run, const job_id& job) {
  if (auto* found = find(run, job);
      found && found->state == job_state::delivered)
    erase(*found);
}

// -- workers -----------------------------------------------------------------

worker_id job_table::join(worker_spec spec, microseconds now) {
  if (const auto before = session_of(spec.incarnation))
    leave(*before, departure::replaced, now);
  const worker_id id{++next_worker_};
  incarnations_[spec.incarnation] = id;
  counts_.slots += spec.slots;
  auto& worker = workers_[id];
  worker.worker_class = worker_class_of(spec);
  ++worker_classes_[worker.worker_class].workers;
  worker.spec = std::move(spec);
  set_ready(id, true);
  return id;
}

std::optional<worker_id>
job_table::session_of(const std::string& incarnation) const {
  const auto it = incarnations_.find(incarnation);
  if (it == incarnations_.end()) return std::nullopt;
  return it->second;
}

std::size_t job_table::worker_class_of(const worker_spec& spec) {
  std::size_t unused = worker_classes_.size();
  for (std::size_t i = 0; i < worker_classes_.size(); ++i) {
    if (worker_classes_[i].workers == 0) unused = i;
    if (worker_classes_[i].kinds == spec.kinds
        && worker_classes_[i].benchmarks == spec.benchmarks
        && worker_classes_[i].tags == spec.tags
        && std::equal(
            spec.slots_for.begin(), spec.slots_for.end(),
            worker_classes_[i].ready_for.begin(),
            worker_classes_[i].ready_for.end(),
            [](const auto& a, const auto& b) { return a.first == b.first; }))
      return i;
  }
  if (unused == worker_classes_.size()) worker_classes_.emplace_back();
  auto& made = worker_classes_[unused];
  made = {};
  made.kinds = spec.kinds;
  made.benchmarks = spec.benchmarks;
  made.tags = spec.tags;
  for (const auto& [benchmark, slots] : spec.slots_for)
    made.ready_for[benchmark];
  return unused;
}

bool job_table::worker_class::can(const job_needs& needs) const {
  return kinds.contains(needs.kind)
         && (needs.benchmark.empty() || benchmarks.contains(needs.benchmark)
             || benchmarks.contains("*"))
         && std::includes(tags.begin(), tags.end(), needs.tags.begin(),
                          needs.tags.end());
}

const job_table::ready_list&
job_table::worker_class::list_for(const job_needs& needs) const {
  if (needs.kind != job_kind::rollout) return ready;
  const auto own = ready_for.find(needs.benchmark);
  return own == ready_for.end() ? ready : own->second;
}

bool job_table::usable(const worker_state& worker) const {
  return !worker.draining && worker.suspended_until == microseconds{0};
}

/// Puts the worker into the list of ready workers of its class, or takes it
/// out. Call it before and after changing anything that orders the list.
void job_table::set_ready(worker_id id, bool ready) {
  auto& worker = workers_.at(id);
  const auto busy = static_cast<std::uint32_t>(worker.leases.size());
  const auto place = std::tuple{busy, worker.turn, id};
  auto& lists = worker_classes_[worker.worker_class];
  if (!ready) {
    lists.ready.erase(place);
    lists.ahead.erase(place);
    for (auto& [benchmark, list] : lists.ready_for)
      list.erase(place);
  } else if (!usable(worker)) {
    return;
  } else if (busy < worker.spec.slots) {
    lists.ready.insert(place);
    for (auto& [benchmark, list] : lists.ready_for)
      if (worker.taken[benchmark] < worker.spec.slots_for.at(benchmark))
        list.insert(place);
  } else if (takes_ahead(worker)) {
    lists.ahead.insert(place);
  }
}

void job_table::take_slot(worker_id id, job_entry& job) {
  set_ready(id, false);
  auto& worker = workers_.at(id);
  const auto& needs = job.spec.needs;
  if (worker.leases.size() < worker.spec.slots) ++counts_.busy;
  worker.leases.emplace(job.owner, &job);
  if (!job.is_short()) ++worker.long_leases;
  worker.in_hand += job.expected;
  if (needs.kind == job_kind::rollout
      && worker.spec.slots_for.contains(needs.benchmark))
    ++worker.taken[needs.benchmark];
  set_ready(id, true);
}

void job_table::free_slot(worker_id id, job_entry& job) {
  set_ready(id, false);
  auto& worker = workers_.at(id);
  const auto& needs = job.spec.needs;
  worker.leases.erase({job.owner, &job});
  if (worker.leases.size() < worker.spec.slots) --counts_.busy;
  if (!job.is_short()) --worker.long_leases;
  worker.in_hand -= job.expected;
  if (needs.kind == job_kind::rollout
      && worker.spec.slots_for.contains(needs.benchmark))
    --worker.taken[needs.benchmark];
  set_ready(id, true);
}

std::vector<quarantined_job> job_table::leave(worker_id id, departure how,
                                              microseconds now) {
  const auto it = workers_.find(id);
  if (it == workers_.end()) return {};
  std::vector<quarantined_job> out;
  const auto leases = it->second.leases;
  for (const auto& [run, job] : leases) {
    const auto ended = *end_lease(*job, id);
    if (how == departure::expired) ++counts_.expired;
    if (how == departure::crashed)
      job->crashes.push_back(it->second.spec.incarnation);
    if (!job->leases.empty() || job->state != job_state::leased) continue;
    charge_lost(*job, ended, now);
    if (how == departure::crashed && job->submitted
        && job->crashes.size() >= options_.max_crashes)
      out.push_back(quarantine(
          *job, fmt::format("{} crashed while running it, the last was {}",
                            counted(job->crashes.size(), "worker"),
                            it->second.spec.name)));
    else
      requeue_or_erase(*job, now);
  }
  set_ready(id, false);
  --worker_classes_[it->second.worker_class].workers;
  counts_.slots -= it->second.spec.slots;
  if (const auto known = incarnations_.find(it->second.spec.incarnation);
      known != incarnations_.end() && known->second == id)
    incarnations_.erase(known);
  workers_.erase(it);
  return out;
}

void job_table::drain(worker_id id) {
  const auto it = workers_.find(id);
  if (it == workers_.end()) return;
  set_ready(id, false);
  it->second.draining = true;
}

std::optional<job_table::adoption> job_table::adopt(worker_id worker,
                                                    const run_id& run,
                                                    const job_id& id,
                                                    microseconds now) {
  const auto owner = runs_.find(run);
  if (owner == runs_.end() || !workers_.contains(worker)) return std::nullopt;
  const auto [it, fresh] = owner->second.jobs.try_emplace(id);
  auto& job = it->second;
  if (fresh) {
    job.spec.id = id;
    job.owner = &owner->second;
    job.submitted = false;
    job.order = next_order_++;
    job.queued_at = now;
  } else {
    constexpr std::size_t max_leases = 2;
    if (job.state == job_state::delivered)
      return adoption{{run, id, ++next_attempt_, epoch_}, true};
    if (job.leases.size() >= max_leases) return std::nullopt;
    for (const auto& holder : job.leases)
      if (holder.worker == worker) return std::nullopt; // named twice
    // The worker did not die of this job after all.
    std::erase(job.crashes, workers_.at(worker).spec.incarnation);
    if (job.state == job_state::queued) dequeue(job);
  }
  ++counts_.adopted;
  const bool backup = !job.leases.empty();
  return adoption{grant(job, worker, backup, now), false};
}

void job_table::give_back(worker_id worker, const lease_key& key,
                          microseconds now) {
  if (!holds(worker, key)) return;
  auto& job = *find(key.run, key.job);
  workers_.at(worker).played = {}; // it could not keep up with what was ahead
  const auto ended = *end_lease(job, worker);
  if (!job.leases.empty() || job.state != job_state::leased) return;
  charge_lost(job, ended, now);
  requeue_or_erase(job, now);
}

void job_table::requeue_or_erase(job_entry& job, microseconds now) {
  if (!job.submitted) return erase(job);
  job.first_in_line = true;
  enqueue(job, now);
}

// -- leases ------------------------------------------------------------------

lease_key job_table::grant(job_entry& job, worker_id id, bool backup,
                           microseconds now) {
  set_ready(id, false);
  auto& worker = workers_.at(id);
  worker.turn = ++next_turn_;
  const bool ahead = worker.leases.size() >= worker.spec.slots;
  if (job.leases.empty()) job.expected = expected_of(job.spec);
  take_slot(id, job);
  job.state = job_state::leased;
  job.leases.push_back({id, ++next_attempt_, now, backup, ahead});
  leased_.emplace(next_attempt_, &job);
  if (backup) ++live_backups_;
  ++counts_.leased;
  return {job.owner->id, job.spec.id, next_attempt_, epoch_};
}

std::optional<job_table::lease> job_table::end_lease(job_entry& job,
                                                     worker_id id) {
  const auto it = std::find_if(job.leases.begin(), job.leases.end(),
                               [&](const lease& l) { return l.worker == id; });
  if (it == job.leases.end()) return std::nullopt;
  const auto ended = *it;
  job.leases.erase(it);
  leased_.erase(ended.attempt);
  free_slot(id, job);
  if (ended.backup) --live_backups_;
  --counts_.leased;
  return ended;
}

bool job_table::holds(worker_id worker, const lease_key& key) const {
  if (key.epoch != epoch_) return false;
  const auto owner = runs_.find(key.run);
  if (owner == runs_.end()) return false;
  const auto job = owner->second.jobs.find(key.job);
  if (job == owner->second.jobs.end()) return false;
  for (const auto& holder : job->second.leases)
    if (holder.worker == worker && holder.attempt == key.attempt) return true;
  return false;
}

finish_outcome job_table::finish(worker_id id, const lease_key& key,
                                 const ending& how, microseconds now) {
  finish_outcome out;
  const auto& error = how.error;
  if (!holds(id, key)) {
    ++counts_.stale;
    return out;
  }
  auto& job = *find(key.run, key.job);
  auto& worker = workers_.at(id);
  const bool said = how.played > microseconds{0};
  // Before its slot is free for others.
  if (said && error.empty()) worker.played.add(how.played);
  const auto ended = *end_lease(job, id);
  out.spent = now - ended.since;
  const bool was_adopted = job.charged == microseconds{0}; // it began before
  if (said)
    out.spent = was_adopted ? how.played : std::min(out.spent, how.played);
  if (!error.empty()) {
    if (ended.backup) ++counts_.backups_lost;
    count_failure(id, worker, job, error, now);
    out.what = finish_outcome::kind::retried;
    if (!job.leases.empty() || job.state != job_state::leased) return out;
    charge_spent(job, out.spent);
    if (job.submitted && (how.is_final || out_of_retries(job))) {
      out.what = finish_outcome::kind::quarantined;
      out.given_up.push_back(
          quarantine(job, fmt::format("{}, the last on {}: {}",
                                      counted(job.failures.size(), "failure"),
                                      worker.spec.name, error)));
    } else {
      out.queued = true;
      requeue_or_erase(job, now);
    }
    return out;
  }
  out.what = finish_outcome::kind::accepted;
  ++worker.done;
  ++job.owner->done[job.spec.needs.kind];
  worker.failed_lately.clear();
  worker.suspensions = 0;
  if (ended.backup) ++counts_.backups_won;
  charge_spent(job, out.spent);
  if (job.submitted)
    durations_.learn(job.spec.needs.kind, job.spec.duration_key, out.spent);
  while (!job.leases.empty()) {
    const auto other = job.leases.back();
    if (other.backup) ++counts_.backups_lost;
    out.revoked.push_back(
        {other.worker, {key.run, key.job, other.attempt, epoch_}});
    end_lease(job, other.worker);
  }
  job.state = job_state::delivered;
  ++counts_.delivered;
  return out;
}

} // namespace brewery

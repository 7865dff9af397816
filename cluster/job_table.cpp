#include "cluster/job_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace brewery {

bool job_table::goes_first::operator()(const job_entry* a,
                                       const job_entry* b) const {
  if (a->facts.urgent != b->facts.urgent) return a->facts.urgent;
  if (a->first_in_line != b->first_in_line) return a->first_in_line;
  if (a->predicted != b->predicted) return a->predicted > b->predicted;
  return a->order < b->order;
}

job_table::job_table(const cluster_options& options, std::uint64_t epoch)
    : options_(options), epoch_(epoch) {}

// -- searches ----------------------------------------------------------------

void job_table::open_search(const search_id& search, search_share share) {
  auto& opened = searches_[search];
  opened.id = search;
  opened.share = share;
}

bool job_table::has_search(const search_id& search) const {
  return searches_.contains(search);
}

std::vector<revoked_lease> job_table::close_search(const search_id& search) {
  const auto it = searches_.find(search);
  if (it == searches_.end()) return {};
  std::vector<revoked_lease> out;
  auto& jobs = it->second.jobs;
  while (!jobs.empty()) {
    auto& job = jobs.begin()->second;
    for (const auto& held : job.leases)
      out.push_back(
          {held.worker, {search, job.facts.id, held.attempt, epoch_}});
    while (!job.leases.empty())
      end_lease(job, job.leases.back().worker);
    erase(job);
  }
  searches_.erase(it);
  return out;
}

std::vector<job_id> job_table::drop_queued(const search_id& search) {
  std::vector<job_id> out;
  const auto it = searches_.find(search);
  if (it == searches_.end()) return out;
  std::vector<job_entry*> dropped;
  for (auto& [id, job] : it->second.jobs)
    if (job.state == job_state::queued) dropped.push_back(&job);
  for (auto* job : dropped) {
    out.push_back(job->facts.id);
    erase(*job);
  }
  return out;
}

// -- jobs --------------------------------------------------------------------

job_table::job_entry* job_table::find(const search_id& search,
                                      const job_id& job) {
  const auto it = searches_.find(search);
  if (it == searches_.end()) return nullptr;
  const auto found = it->second.jobs.find(job);
  return found == it->second.jobs.end() ? nullptr : &found->second;
}

bool job_table::submit(const search_id& search, job_facts facts, instant now) {
  auto& owner = searches_.at(search);
  const auto [it, fresh] = owner.jobs.try_emplace(facts.id);
  auto& job = it->second;
  job.facts = std::move(facts);
  job.predicted = paces_.predict(job.facts.needs.role, job.facts.pace);
  job.guessed = !paces_.expect(job.facts.needs.role, job.facts.pace);
  if (!fresh) { // adopted before it was asked for
    job.submitted = true;
    return job.state != job_state::delivered;
  }
  job.owner = &owner;
  job.order = next_order_++;
  enqueue(job, now);
  return true;
}

void job_table::enqueue(job_entry& job, instant now) {
  auto& owner = *job.owner;
  if (owner.queued == 0) {
    // A search that had nothing to do does not save up turns.
    owner.work_per_weight =
        std::max(owner.work_per_weight, served_[owner.share.priority]);
  }
  job.state = job_state::queued;
  job.queued_at = now;
  ++owner.queued;
  ++counts_.queued;
  if (job.failures.empty())
    owner.queues[job.facts.needs].insert(&job);
  else
    owner.retries.push_back(&job);
}

void job_table::dequeue(job_entry& job) {
  auto& owner = *job.owner;
  --owner.queued;
  --counts_.queued;
  if (job.failures.empty())
    owner.queues[job.facts.needs].erase(&job);
  else
    std::erase(owner.retries, &job);
}

void job_table::erase(job_entry& job) {
  if (job.state == job_state::queued) dequeue(job);
  if (job.state == job_state::delivered) --counts_.delivered;
  if (job.blamed)
    for (auto& [id, worker] : workers_)
      worker.failed_lately.erase(&job);
  const auto id = job.facts.id;
  job.owner->jobs.erase(id);
}

void job_table::forget(const search_id& search, const job_id& job) {
  if (auto* found = find(search, job);
      found && found->state == job_state::delivered)
    erase(*found);
}

// -- workers -----------------------------------------------------------------

worker_id job_table::join(worker_facts facts, instant now) {
  if (const auto before = session_of(facts.incarnation))
    leave(*before, departure::expired, now);
  const worker_id id{++next_worker_};
  incarnations_[facts.incarnation] = id;
  counts_.slots += facts.slots;
  auto& worker = workers_[id];
  worker.crew = crew_of(facts);
  worker.facts = std::move(facts);
  ++crews_[worker.crew].members;
  set_ready(id, true);
  return id;
}

std::optional<worker_id>
job_table::session_of(const std::string& incarnation) const {
  const auto it = incarnations_.find(incarnation);
  if (it == incarnations_.end()) return std::nullopt;
  return it->second;
}

std::size_t job_table::crew_of(const worker_facts& facts) {
  for (std::size_t i = 0; i < crews_.size(); ++i)
    if (crews_[i].roles == facts.roles
        && crews_[i].benchmarks == facts.benchmarks)
      return i;
  crews_.push_back({facts.roles, facts.benchmarks, {}, 0});
  return crews_.size() - 1;
}

bool job_table::crew::can(const job_needs& needs) const {
  return roles.contains(needs.role)
         && (needs.benchmark.empty() || benchmarks.contains(needs.benchmark)
             || benchmarks.contains("*"));
}

bool job_table::usable(const worker_state& worker) const {
  return !worker.draining && worker.suspended_until == instant{0};
}

/// In its crew's list of ready workers, or out of it; call before and after
/// anything that the list is ordered by changes.
void job_table::set_ready(worker_id id, bool ready) {
  auto& worker = workers_.at(id);
  const auto busy = static_cast<std::uint32_t>(worker.leases.size());
  const auto place = std::tuple{busy, worker.turn, id};
  auto& list = crews_[worker.crew].ready;
  if (ready && usable(worker) && busy < worker.facts.slots)
    list.insert(place);
  else if (!ready)
    list.erase(place);
}

std::vector<quarantined_job> job_table::leave(worker_id id, departure how,
                                              instant now) {
  const auto it = workers_.find(id);
  if (it == workers_.end()) return {};
  std::vector<quarantined_job> out;
  const auto held = it->second.leases;
  for (const auto& [search, job] : held) {
    end_lease(*job, id);
    if (how == departure::expired) ++counts_.expired;
    if (how == departure::lost)
      job->crashes.push_back(it->second.facts.incarnation);
    if (!job->leases.empty() || job->state != job_state::leased) continue;
    if (how == departure::lost && job->submitted
        && job->crashes.size() >= options_.max_crashes)
      out.push_back(quarantine(
          *job, fmt::format("{} workers died with it, the last was {}",
                            job->crashes.size(), it->second.facts.name)));
    else
      requeue_or_erase(*job, now);
  }
  set_ready(id, false);
  --crews_[it->second.crew].members;
  counts_.slots -= it->second.facts.slots;
  if (const auto known = incarnations_.find(it->second.facts.incarnation);
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
                                                    const search_id& search,
                                                    const job_id& id,
                                                    instant now) {
  const auto owner = searches_.find(search);
  if (owner == searches_.end() || !workers_.contains(worker))
    return std::nullopt;
  const auto [it, fresh] = owner->second.jobs.try_emplace(id);
  auto& job = it->second;
  if (fresh) {
    job.facts.id = id;
    job.owner = &owner->second;
    job.submitted = false;
    job.order = next_order_++;
    job.queued_at = now;
  } else {
    constexpr std::size_t max_leases = 2;
    if (job.state == job_state::delivered)
      return adoption{{search, id, ++next_attempt_, epoch_}, true};
    if (job.leases.size() >= max_leases) return std::nullopt;
    for (const auto& held : job.leases)
      if (held.worker == worker) return std::nullopt; // named twice
    // It did not die of the job after all.
    std::erase(job.crashes, workers_.at(worker).facts.incarnation);
    if (job.state == job_state::queued) dequeue(job);
  }
  ++counts_.adopted;
  const bool backup = !job.leases.empty();
  return adoption{grant(job, worker, backup, now), false};
}

void job_table::give_back(worker_id worker, const lease_key& key, instant now) {
  if (!holds(worker, key)) return;
  auto& job = *find(key.search, key.job);
  end_lease(job, worker);
  if (job.leases.empty() && job.state == job_state::leased)
    requeue_or_erase(job, now);
}

void job_table::requeue_or_erase(job_entry& job, instant now) {
  if (!job.submitted) return erase(job);
  job.first_in_line = true;
  enqueue(job, now);
}

// -- leases ------------------------------------------------------------------

lease_key job_table::grant(job_entry& job, worker_id id, bool backup,
                           instant now) {
  set_ready(id, false);
  auto& worker = workers_.at(id);
  worker.leases.emplace(job.owner, &job);
  worker.turn = ++next_turn_;
  set_ready(id, true);
  job.state = job_state::leased;
  job.leases.push_back({id, ++next_attempt_, now, backup});
  if (backup) ++live_backups_;
  ++counts_.leased;
  counts_.busy = counts_.leased;
  return {job.owner->id, job.facts.id, next_attempt_, epoch_};
}

std::optional<job_table::lease> job_table::end_lease(job_entry& job,
                                                     worker_id id) {
  const auto it = std::find_if(job.leases.begin(), job.leases.end(),
                               [&](const lease& l) { return l.worker == id; });
  if (it == job.leases.end()) return std::nullopt;
  const auto ended = *it;
  job.leases.erase(it);
  set_ready(id, false);
  workers_.at(id).leases.erase({job.owner, &job});
  set_ready(id, true);
  if (ended.backup) {
    --live_backups_;
    ++counts_.backups_lost; // unless `finish` knows better
  }
  --counts_.leased;
  counts_.busy = counts_.leased;
  return ended;
}

bool job_table::holds(worker_id worker, const lease_key& key) const {
  if (key.epoch != epoch_) return false;
  const auto owner = searches_.find(key.search);
  if (owner == searches_.end()) return false;
  const auto job = owner->second.jobs.find(key.job);
  if (job == owner->second.jobs.end()) return false;
  for (const auto& held : job->second.leases)
    if (held.worker == worker && held.attempt == key.attempt) return true;
  return false;
}

finish_outcome job_table::finish(worker_id id, const lease_key& key,
                                 const std::string& error, instant now) {
  finish_outcome out;
  if (!holds(id, key)) {
    ++counts_.stale;
    return out;
  }
  auto& job = *find(key.search, key.job);
  auto& worker = workers_.at(id);
  const auto ended = *end_lease(job, id);
  out.spent = now - ended.since;
  if (!error.empty()) {
    count_failure(id, worker, job, error, now);
    out.what = finish_outcome::kind::retried;
    if (!job.leases.empty() || job.state != job_state::leased) return out;
    if (job.submitted && out_of_retries(job)) {
      out.what = finish_outcome::kind::quarantined;
      out.given_up.push_back(quarantine(
          job, fmt::format("{} failures, the last on {}: {}",
                           job.failures.size(), worker.facts.name, error)));
    } else {
      requeue_or_erase(job, now);
    }
    return out;
  }
  out.what = finish_outcome::kind::accepted;
  ++worker.done;
  worker.failed_lately.clear();
  worker.suspensions = 0;
  if (ended.backup) {
    ++counts_.backups_won;
    --counts_.backups_lost;
  }
  add_work(*job.owner, out.spent - std::exchange(job.charged, out.spent));
  if (job.submitted)
    paces_.learn(job.facts.needs.role, job.facts.pace, out.spent);
  while (!job.leases.empty()) {
    const auto other = job.leases.back();
    out.revoked.push_back(
        {other.worker, {key.search, key.job, other.attempt, epoch_}});
    end_lease(job, other.worker);
  }
  job.state = job_state::delivered;
  ++counts_.delivered;
  return out;
}

} // namespace brewery

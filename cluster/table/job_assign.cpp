/// The part of the job table that chooses which job goes to which worker.

#include "base/text.hpp"
#include "cluster/table/job_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace brewery {

std::vector<granted_lease> job_table::assign(microseconds now) {
  std::vector<granted_lease> out;
  if (paused()) return out;
  bool has_slots = true;
  while (counts_.queued > 0) {
    auto next = has_slots ? next_grant(now) : next_ahead(now);
    if (!next && !std::exchange(has_slots, false)) break;
    if (next) out.push_back(std::move(*next));
  }
  while (!stuck_.empty()) {
    auto next = next_backup(now);
    if (!next) break;
    out.push_back(std::move(*next));
  }
  return out;
}

/// Those with queued jobs that may be granted.
std::vector<job_table::run_state*> job_table::runs_in_order() {
  std::vector<run_state*> order;
  for (auto& [id, run] : runs_)
    if (run.queued > 0 && !stuck_logs_.contains(id)) order.push_back(&run);
  std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    if (a->share.priority != b->share.priority)
      return a->share.priority > b->share.priority;
    if (a->work_per_weight != b->work_per_weight)
      return a->work_per_weight < b->work_per_weight;
    return a->id < b->id;
  });
  return order;
}

granted_lease job_table::grant_queued(job_entry& job, worker_id worker,
                                      microseconds now) {
  dequeue(job);
  charge(*job.owner, job);
  const auto waited = now - job.queued_at;
  return {worker, grant(job, worker, false, now), false, waited};
}

std::optional<granted_lease> job_table::next_grant(microseconds now) {
  for (auto* run : runs_in_order()) {
    if (auto made = from_retries(*run, now)) return made;
    if (auto made = from_queues(*run, now)) return made;
  }
  return std::nullopt;
}

void job_table::charge(run_state& run, job_entry& job) {
  auto& served = served_[run.share.priority];
  served = std::max(served, run.work_per_weight);
  // Uses today's prediction, not that of the submission. Without a prediction,
  // jobs are shared by number, and the charge is corrected when leases end.
  constexpr microseconds next_to_nothing{1'000};
  job.charged = durations_.expect(job.spec.needs.kind, job.spec.duration_key)
                    .value_or(next_to_nothing);
  job.charged_weight = run.share.weight;
  add_work(run, job.charged, job.charged_weight);
}

/// What its last lease took, in place of the prediction. Else a run whose
/// workers die or fail would pay for work that it never got.
void job_table::charge_spent(job_entry& job, microseconds spent) {
  // An adopted job was not charged.
  const auto weight =
      job.charged.count() > 0 ? job.charged_weight : job.owner->share.weight;
  add_work(*job.owner, spent - std::exchange(job.charged, microseconds{0}),
           weight);
}

/// Nothing is known of what it took. One that went ahead may not have begun.
void job_table::charge_lost(job_entry& job, const lease& ended,
                            microseconds now) {
  auto spent = now - ended.since;
  if (ended.ahead) spent = std::min(spent, job.expected);
  charge_spent(job, spent);
}

void job_table::add_work(run_state& run, microseconds spent, double weight) {
  run.work_per_weight += static_cast<double>(spent.count()) / weight;
}

std::optional<worker_id> job_table::ready_for(const job_needs& needs) const {
  const ready_list* best = nullptr;
  for (const auto& one : worker_classes_) {
    const auto& list = one.list_for(needs);
    if (!list.empty() && one.can(needs)
        && (!best || *list.begin() < *best->begin()))
      best = &list;
  }
  if (!best) return std::nullopt;
  return std::get<worker_id>(*best->begin());
}

/// Jobs that failed go to a worker that has not tried them, if there is one.
std::optional<granted_lease> job_table::from_retries(run_state& run,
                                                     microseconds now) {
  for (auto* job : run.retries) {
    const bool only_untried = anyone_untried(*job);
    for (const auto& one : worker_classes_) {
      if (!one.can(job->spec.needs)) continue;
      for (const auto& place : one.list_for(job->spec.needs)) {
        const auto id = std::get<worker_id>(place);
        if (!untried(*job, workers_.at(id))
            && (only_untried || now < job->retry_at))
          continue;
        return grant_queued(*job, id, now);
      }
    }
  }
  return std::nullopt;
}

std::optional<granted_lease> job_table::from_queues(run_state& run,
                                                    microseconds now) {
  job_entry* chosen = nullptr;
  worker_id worker;
  for (auto& [needs, queue] : run.queues) {
    if (queue.empty()) continue;
    auto* first = *queue.begin();
    if (chosen && !goes_first{}(first, chosen)) continue;
    if (const auto ready = ready_for(needs)) {
      chosen = first;
      worker = *ready;
    }
  }
  if (!chosen) return std::nullopt;
  return grant_queued(*chosen, worker, now);
}

// -- backup copies -----------------------------------------------------------

bool job_table::backups_pay() const {
  const auto ended = counts_.backups_won + counts_.backups_lost;
  return ended < options_.backup_trials
         || static_cast<double>(counts_.backups_won)
                >= options_.backup_min_wins * static_cast<double>(ended);
}

const job_table::lease& job_table::lease_of(const job_entry& job,
                                            std::uint64_t attempt) {
  return *std::find_if(
      job.leases.begin(), job.leases.end(),
      [&](const lease& one) { return one.attempt == attempt; });
}

/// A job is stuck if it has run far longer than predicted while slots are free.
/// What waits goes first; what no worker can do must not keep copies away.
void job_table::find_stuck(microseconds now) {
  stuck_.clear();
  const bool room = std::ranges::any_of(
      worker_classes_, [](const auto& one) { return !one.ready.empty(); });
  if (!options_.backups || !room || !backups_pay()) return;
  std::vector<std::tuple<microseconds, std::uint64_t, job_entry*>> found;
  for (const auto& [attempt, job] : leased_) {
    const auto since = lease_of(*job, attempt).since;
    if (now - since <= options_.backup_min) break; // the rest is younger
    if (job->leases.size() != 1 || !job->submitted
        || stuck_logs_.contains(job->owner->id))
      continue;
    const auto known = job->guessed ? durations_.expect(job->spec.needs.kind,
                                                        job->spec.duration_key)
                                    : job->predicted;
    if (!known) continue; // no prediction to compare with
    const auto expected = std::chrono::duration_cast<microseconds>(
        options_.backup_factor
        * std::chrono::duration<double, std::micro>(*known));
    if (now - since > expected) found.emplace_back(since, job->order, job);
  }
  std::sort(found.begin(), found.end());
  for (const auto& [since, order, job] : found)
    stuck_.emplace_back(job->owner->id, job->spec.id);
}

std::optional<granted_lease> job_table::next_backup(microseconds now) {
  const auto cap =
      std::max(1.0, options_.backup_share
                        * static_cast<double>(counts_.leased - live_backups_));
  while (!stuck_.empty()) {
    if (static_cast<double>(live_backups_ + 1) > cap) return std::nullopt;
    const auto [run, id] = stuck_.front();
    stuck_.erase(stuck_.begin());
    auto* job = find(run, id);
    // Meanwhile it may have ended, or be another worker's leftover that nobody
    // has asked for yet.
    if (!job || !job->submitted || job->state != job_state::leased
        || job->leases.size() != 1)
      continue;
    const auto& holder = workers_.at(job->leases.front().worker);
    std::optional<worker_id> other;
    for (const auto& one : worker_classes_) {
      if (!one.can(job->spec.needs)) continue;
      for (const auto& place : one.list_for(job->spec.needs)) {
        const auto candidate = std::get<worker_id>(place);
        const auto& spec = workers_.at(candidate).spec;
        if (candidate == job->leases.front().worker
            || !untried(*job, workers_.at(candidate)))
          continue;
        // Prefers another machine.
        if (!other || spec.host != holder.spec.host) other = candidate;
        if (spec.host != holder.spec.host) break;
      }
    }
    if (!other) continue;
    ++counts_.backups;
    return granted_lease{*other, grant(*job, *other, true, now), true,
                         microseconds{0}};
  }
  return std::nullopt;
}

job_table::overdue job_table::end_overdue(microseconds now) {
  overdue out;
  if (options_.job_limit.count() == 0) return out;
  for (const auto& [attempt, job] : leased_) {
    const auto& late = lease_of(*job, attempt);
    if (now - late.since <= options_.job_limit) break; // the rest is younger
    out.revoked.push_back(
        {late.worker, {job->owner->id, job->spec.id, attempt, epoch_}});
  }
  const auto why = fmt::format(
      "it ran longer than {} s",
      std::chrono::duration_cast<std::chrono::seconds>(options_.job_limit)
          .count());
  for (const auto& late : out.revoked) {
    auto ended = finish(late.worker, late.key, {why}, now);
    out.given_up.insert(out.given_up.end(), ended.given_up.begin(),
                        ended.given_up.end());
  }
  return out;
}

job_table::overdue job_table::tick(microseconds now) {
  for (auto& [id, worker] : workers_)
    if (worker.suspended_until != microseconds{0}
        && worker.suspended_until <= now) {
      worker.suspended_until = microseconds{0};
      set_ready(id, true);
    }
  auto late = end_overdue(now);
  find_stuck(now);
  return late;
}

// -- views -------------------------------------------------------------------

std::vector<worker_view> job_table::workers() const {
  std::vector<worker_view> out;
  for (const auto& [id, worker] : workers_) {
    const auto leases = static_cast<std::uint32_t>(worker.leases.size());
    out.push_back({id, worker.spec, leases, std::min(leases, worker.spec.slots),
                   worker.draining, worker.suspended_until != microseconds{0},
                   worker.last_error, worker.done, worker.failed});
  }
  std::sort(out.begin(), out.end(),
            [](const auto& a, const auto& b) { return a.id < b.id; });
  return out;
}

std::optional<microseconds> job_table::oldest_lease() const {
  if (leased_.empty()) return std::nullopt;
  const auto& [attempt, job] = *leased_.begin();
  return lease_of(*job, attempt).since;
}

std::vector<run_load> job_table::loads() const {
  std::map<std::pair<run_id, job_kind>, run_load> found;
  const auto of = [&](const run_state& run, job_kind kind) -> run_load& {
    auto& out = found[{run.id, kind}];
    out.run = run.id;
    out.kind = kind;
    return out;
  };
  for (const auto& [id, run] : runs_) {
    for (const auto& [needs, queue] : run.queues)
      of(run, needs.kind).queued += queue.size();
    for (const auto* job : run.retries)
      ++of(run, job->spec.needs.kind).queued;
    for (const auto& [kind, count] : run.done)
      of(run, kind).done = count;
  }
  for (const auto& [id, worker] : workers_)
    for (const auto& [run, job] : worker.leases)
      if (job->submitted) ++of(*run, job->spec.needs.kind).running;
  std::vector<run_load> out;
  for (auto& [key, load] : found)
    out.push_back(std::move(load));
  return out;
}

/// Why no connected worker can do such jobs, whatever it does now. `benchmark`:
/// what people call the benchmark that they need.
std::string job_table::why_none_is_able(const job_needs& needs,
                                        const std::string& benchmark) const {
  auto untagged = needs;
  untagged.tags.clear();
  const bool able =
      std::any_of(workers_.begin(), workers_.end(), [&](const auto& worker) {
        return worker_classes_[worker.second.worker_class].can(untagged);
      });
  if (able)
    return fmt::format(
        "no worker has the needed tags: {} (connected: {})",
        brewery::join({needs.tags.begin(), needs.tags.end()}, ", "),
        workers_.size());
  if (needs.benchmark.empty())
    return fmt::format("no worker runs this kind of job (connected: {})",
                       workers_.size());
  std::size_t same_data = 0, other_data = 0;
  for (const auto& [id, worker] : workers_)
    if (worker.spec.benchmarks.contains(needs.benchmark))
      ++same_data;
    else if (worker.spec.benchmark_names.contains(benchmark))
      ++other_data;
  if (same_data > 0)
    return fmt::format("no worker that offers {} takes {} jobs (connected: {})",
                       benchmark, to_string(needs.kind), workers_.size());
  if (other_data > 0)
    return fmt::format("no worker offers {} with the data of this run; with "
                       "other data: {} (connected: {})",
                       benchmark, other_data, workers_.size());
  return fmt::format("no worker offers {} (connected: {})", benchmark,
                     workers_.size());
}

std::string job_table::why_paused(const run_id& run) const {
  if (stuck_logs_.contains(run)) return "the event log cannot be written";
  return fmt::format("paused: the disk is full, and the event log of run {} "
                     "cannot be written",
                     disk_full_for_->value);
}

namespace {

/// As workers call what they offer: goldens have a name of their own.
std::string shown_benchmark(const job_needs& needs, const std::string& name) {
  if (name.empty()) return needs.benchmark;
  return needs.kind == job_kind::grade ? name + " goldens" : name;
}

} // namespace

std::vector<std::string>
job_table::why_waiting(const benchmark_name_of& name_of) const {
  std::vector<std::string> out;
  for (const auto& [id, run] : runs_) {
    std::map<job_needs, std::size_t> waiting;
    for (const auto& [needs, queue] : run.queues)
      if (!queue.empty()) waiting[needs] += queue.size();
    for (const auto* job : run.retries)
      ++waiting[job->spec.needs];
    const auto name = name_of ? name_of(id) : std::string{};
    for (const auto& [needs, count] : waiting) {
      const auto benchmark = shown_benchmark(needs, name);
      std::size_t able = 0, suspended = 0, draining = 0;
      const bool has_room =
          std::any_of(worker_classes_.begin(), worker_classes_.end(),
                      [&needs = needs](const auto& one) {
                        return !one.list_for(needs).empty() && one.can(needs);
                      });
      for (const auto& [number, worker] : workers_) {
        if (!worker_classes_[worker.worker_class].can(needs)) continue;
        ++able;
        if (worker.draining)
          ++draining;
        else if (!usable(worker))
          ++suspended;
      }
      std::string why;
      if (paused() || stuck_logs_.contains(id))
        why = why_paused(id);
      else if (workers_.empty())
        why = "no worker is connected";
      else if (able == 0)
        why = why_none_is_able(needs, benchmark);
      else if (able == suspended + draining)
        why = fmt::format("suitable workers: {}, suspended: {}, draining: {}",
                          able, suspended, draining);
      else if (has_room)
        why =
            "they failed and wait for another worker or for the end of a pause";
      else if (std::ranges::any_of(
                   worker_classes_, [&needs = needs](const auto& one) {
                     return !one.ready.empty() && one.can(needs);
                   })) // the benchmark has slots of its own
        why = fmt::format("all slots are busy that workers have for {} "
                          "(workers: {})",
                          benchmark, able);
      else
        why = fmt::format("all slots are busy (workers: {})", able);
      // The words are the same for every number: what waits for the same
      // reason is told once.
      out.push_back(fmt::format("{}: {} jobs wait ({}): {}", id.value,
                                to_string(needs.kind), count, why));
    }
  }
  return out;
}

} // namespace brewery

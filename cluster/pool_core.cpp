#include "cluster/pool_core.hpp"

#include "base/text.hpp"
#include "cluster/job_spec.hpp"

#include <algorithm>
#include <utility>

namespace brewery {

namespace {

error told_to_stop() {
  return {ec::cancelled, "the run was told to stop"};
}

} // namespace

pool_core::pool_core(const cluster_options& options, std::uint64_t epoch)
    : table_(options, epoch) {}

// -- from ledgers ------------------------------------------------------------

void pool_core::open(opened_run about) {
  table_.open_run(about.run, about.share, about.given_up);
  auto& run = runs_[about.run];
  run.about = std::move(about);
}

pool_step pool_core::set_share(const run_id& run, run_share share,
                               microseconds now) {
  table_.set_share(run, share);
  return assign(now);
}

void pool_core::answer(pool_step& out, run_state& run, const job_id& job,
                       result<packed_result> what) {
  auto asked = run.jobs.extract(job);
  if (!asked.empty())
    out.answers.push_back({asked.mapped().asker, std::move(what)});
}

pool_step pool_core::run(const run_id& id, job work, asker_id asker,
                         microseconds now) {
  pool_step out;
  const auto it = runs_.find(id);
  if (it == runs_.end()) {
    out.answers.push_back(
        {asker, error{ec::internal, "no run " + id.value + " is open"}});
    return out;
  }
  auto& run = it->second;
  if (run.stopped) { // it was on its way here
    out.answers.push_back({asker, told_to_stop()});
    return out;
  }
  answer(out, run, work.id,
         error{ec::cancelled, "the job was submitted again"});
  auto spec = spec_of(work, run.about.benchmark, run.about.tags);
  const auto job = work.id;
  run.jobs.emplace(
      job,
      asked_job{std::make_shared<const brewery::job>(std::move(work)), asker});
  table_.submit(id, std::move(spec), now);
  assign(out, now);
  return out;
}

void pool_core::settle(pool_step& out, result_holders& unsettled,
                       const job_id& job) {
  if (const auto waiting = unsettled.extract(job); !waiting.empty())
    for (const auto& [worker, key] : waiting.mapped())
      out.orders.emplace_back(worker,
                              result_settled{key, result_verdict::counted});
}

pool_step pool_core::journalled(const run_id& id, const job_id& job) {
  pool_step out;
  if (const auto closed = closing_.find(id); closed != closing_.end())
    settle(out, closed->second, job);
  const auto it = runs_.find(id);
  if (it == runs_.end()) return out;
  table_.forget(id, job);
  auto& run = it->second;
  settle(out, run.unsettled, job);
  // Jobs requested while an offered result was on its way to the journal: the
  // ledger has the result by now and accepts any answer.
  packed_result any;
  any.brief.id = job;
  answer(out, run, job, std::move(any));
  return out;
}

void pool_core::stop(pool_step& out, const run_id& id) {
  const auto it = runs_.find(id);
  if (it == runs_.end()) return;
  it->second.stopped = true;
  for (const auto& job : table_.drop_queued(id))
    answer(out, it->second, job, told_to_stop());
}

/// What came back from a worker is queued again, also of runs that are stopped.
void pool_core::stop_again(pool_step& out) {
  for (const auto& [id, run] : runs_)
    if (run.stopped) stop(out, id);
}

pool_step pool_core::stop(const run_id& id) {
  pool_step out;
  stop(out, id);
  return out;
}

void pool_core::pause(pool_step& out, const run_id& id, log_state log,
                      microseconds now) {
  if (log != log_state::writable && runs_.contains(id))
    stuck_[id] = log;
  else
    stuck_.erase(id);
  std::optional<run_id> full;
  for (const auto& [run, why] : stuck_)
    if (!full && why == log_state::disk_full) full = run;
  table_.pause(stuck_runs(), std::move(full));
  assign(out, now);
}

std::set<run_id> pool_core::stuck_runs() const {
  std::set<run_id> out;
  for (const auto& [id, why] : stuck_)
    out.insert(id);
  return out;
}

pool_step pool_core::pause(const run_id& id, log_state log, microseconds now) {
  pool_step out;
  pause(out, id, log, now);
  return out;
}

pool_step pool_core::close(const run_id& id, bool journal_ended,
                           microseconds now) {
  pool_step out;
  pause(out, id, log_state::writable,
        now); // its journal may end while it is stuck
  end_leases(out, table_.close_run(id));
  if (auto run = runs_.extract(id); !run.empty()) {
    for (auto& [job, asked] : run.mapped().jobs)
      out.answers.push_back(
          {asked.asker, error{ec::cancelled, "the run was closed"}});
    closing_[id].merge(run.mapped().unsettled);
  }
  if (!journal_ended) return out;
  if (const auto left = closing_.extract(id); !left.empty())
    for (const auto& [job, holders] : left.mapped())
      for (const auto& [worker, key] : holders)
        out.orders.emplace_back(worker, lease_ended{key});
  return out;
}

void pool_core::end_leases(pool_step& out,
                           const std::vector<revoked_lease>& leases) {
  for (const auto& revoked : leases)
    out.orders.emplace_back(revoked.worker, lease_ended{revoked.key});
}

/// The askers get the verdict in place of a result.
void pool_core::give_up(pool_step& out,
                        const std::vector<quarantined_job>& jobs) {
  for (const auto& job : jobs) {
    out.given_up.push_back(job);
    auto& run = runs_.at(job.run);
    if (const auto it = run.jobs.find(job.job); it != run.jobs.end())
      answer(out, run, job.job,
             pack(quarantine_verdict(*it->second.work, job.reason)));
  }
}

// -- from operators and time -------------------------------------------------

pool_core::draining pool_core::drain(const std::string& name,
                                     microseconds now) {
  draining out;
  for (const auto& worker : table_.workers()) {
    if (worker.spec.name != name && worker.spec.incarnation != name) continue;
    ++out.workers;
    table_.drain(worker.id);
    remember_drain(worker.spec.incarnation, worker.id, now);
    out.step.orders.emplace_back(worker.id, drain_worker{drain_reason});
  }
  // A name would also be that of processes that nobody has thought of yet.
  if (out.workers == 0 && is_random_id(name))
    remember_drain(name, worker_id{}, now);
  return out;
}

void pool_core::remember_drain(const std::string& incarnation,
                               worker_id session, microseconds now) {
  if (draining_.size() >= drains_max && !draining_.contains(incarnation)) {
    const auto longest_away =
        std::ranges::min_element(draining_, {}, [](const auto& one) {
          return std::pair{!one.second.is_away(), one.second.away_since};
        });
    if (longest_away->second.is_away()) draining_.erase(longest_away);
  }
  draining_[incarnation] = {session, now};
}

void pool_core::drained_left(worker_id worker, bool for_good,
                             microseconds now) {
  const auto it = std::ranges::find_if(
      draining_, [&](const auto& one) { return one.second.session == worker; });
  if (it == draining_.end()) return;
  if (for_good)
    draining_.erase(it);
  else
    it->second = {worker_id{}, now};
}

void pool_core::assign(pool_step& out, microseconds now) {
  for (const auto& granted : table_.assign(now)) {
    const auto& run = runs_.at(granted.key.run);
    out.waited.push_back(granted.waited);
    out.orders.emplace_back(granted.worker,
                            lease_order{granted.key,
                                        run.jobs.at(granted.key.job).work,
                                        run.about.setup});
  }
}

pool_step pool_core::assign(microseconds now) {
  pool_step out;
  assign(out, now);
  return out;
}

pool_step pool_core::tick(microseconds now) {
  pool_step out;
  std::erase_if(draining_, [&](const auto& one) {
    return one.second.is_away() && now - one.second.away_since >= drain_memory;
  });
  const auto overdue = table_.tick(now);
  end_leases(out, overdue.revoked);
  give_up(out, overdue.given_up);
  stop_again(out);
  assign(out, now);
  return out;
}

std::vector<run_load> pool_core::loads() const {
  auto out = table_.loads();
  for (auto& load : out)
    load.benchmark = runs_.at(load.run).about.benchmark_name;
  return out;
}

pool_status pool_core::status() const {
  pool_status out;
  out.paused = table_.paused();
  out.stuck = stuck_runs();
  out.counts = table_.counts();
  out.workers = table_.workers();
  out.quarantine.assign(table_.quarantine().begin(), table_.quarantine().end());
  out.loads = loads();
  out.waiting = why_waiting();
  for (const auto& [incarnation, process] : draining_)
    out.draining.push_back(incarnation);
  return out;
}

std::vector<std::string> pool_core::why_waiting() const {
  auto out = table_.why_waiting(
      [this](const run_id& id) { return runs_.at(id).about.benchmark_name; });
  for (const auto& [id, log] : stuck_) {
    const auto start = id.value + ": ";
    if (std::ranges::none_of(out, [&](const std::string& line) {
          return line.starts_with(start);
        }))
      out.push_back(start + "the event log cannot be written");
  }
  return out;
}

std::vector<std::string> pool_core::news_of_waiting(microseconds now) {
  constexpr auto forgotten_after = std::chrono::minutes{1};
  std::erase_if(waiting_, [&](const auto& reason) {
    return now - reason.second > forgotten_after;
  });
  std::vector<std::string> news;
  for (auto& line : why_waiting()) {
    auto reason = line;
    // Digits of the run's id, which has no colon, tell runs apart.
    const auto id_end = std::find(reason.begin(), reason.end(), ':');
    reason.erase(std::remove_if(id_end, reason.end(),
                                [](char c) { return c >= '0' && c <= '9'; }),
                 reason.end());
    const bool is_new = waiting_.insert_or_assign(reason, now).second;
    if (is_new) news.push_back(std::move(line));
  }
  return news;
}

} // namespace brewery

/// The part of the pool's core that handles reports of workers.

#include "cluster/answer.hpp"
#include "cluster/job_spec.hpp"
#include "cluster/pool_core.hpp"

#include <utility>

namespace brewery {

pool_core::joining pool_core::join(worker_spec spec, std::uint64_t session,
                                   const std::vector<worker_job>& jobs,
                                   microseconds now) {
  joining out;
  if (const auto before = table_.session_of(spec.incarnation)) {
    if (sessions_.at(*before) > session) return out;
    sessions_.erase(*before);
    out.step.left.push_back(*before);
  }
  joined_worker answer;
  const auto drained = draining_.find(spec.incarnation);
  answer.worker = table_.join(std::move(spec), now);
  sessions_[answer.worker] = session;
  if (drained != draining_.end()) {
    drained->second.session = answer.worker;
    table_.drain(answer.worker);
    answer.drains = drain_worker{drain_reason};
  }
  for (const auto& item : jobs) {
    const auto& key = item.key;
    auto adopted = table_.adopt(answer.worker, key.run, key.job, now);
    if (!adopted) continue;
    if (adopted->delivered)
      runs_.at(key.run).unsettled[key.job].emplace_back(answer.worker,
                                                        adopted->key);
    answer.adopted.push_back(std::move(*adopted));
  }
  out.answer = std::move(answer);
  stop_again(out.step); // what the session before had is queued again
  return out;
}

pool_step pool_core::report(worker_id worker, worker_report what,
                            microseconds now) {
  std::vector<worker_report> one;
  one.push_back(std::move(what));
  return report(worker, std::move(one), now);
}

pool_step pool_core::report(worker_id worker, std::vector<worker_report> what,
                            microseconds now) {
  pool_step out;
  for (auto& report : what)
    std::visit([&](auto& one) { on(out, worker, one, now); }, report);
  stop_again(out);
  assign(out, now);
  return out;
}

pool_step pool_core::lost(worker_id worker, microseconds now) {
  pool_step out;
  leave(out, worker, job_table::departure::crashed, now);
  return out;
}

void pool_core::leave(pool_step& out, worker_id worker,
                      job_table::departure how, microseconds now) {
  sessions_.erase(worker);
  drained_left(worker, how == job_table::departure::left, now);
  out.left.push_back(worker);
  give_up(out, table_.leave(worker, how, now));
  stop_again(out);
  assign(out, now);
}

/// Null if nobody has requested the job yet.
const job* pool_core::asked_for(const lease_key& key) const {
  const auto run = runs_.find(key.run);
  if (run == runs_.end()) return nullptr;
  const auto asked = run->second.jobs.find(key.job);
  return asked == run->second.jobs.end() ? nullptr : asked->second.work.get();
}

void pool_core::take_back(pool_step& out, worker_id worker,
                          const lease_key& key, microseconds now) {
  table_.give_back(worker, key, now);
  out.orders.emplace_back(worker, result_settled{key, result_verdict::stale});
}

void pool_core::on(pool_step& out, worker_id worker, lease_result& what,
                   microseconds now) {
  const auto& key = what.key;
  if (is_cancelled(what.error)) return take_back(out, worker, key, now);
  if (what.error.empty())
    what.error = validate_result(what.result->brief, asked_for(key));
  const auto outcome =
      table_.finish(worker, key, {what.error, what.is_final, what.played}, now);
  end_leases(out, outcome.revoked);
  give_up(out, outcome.given_up);
  if (outcome.queued) out.retried.emplace_back(key.run, key.job);
  using kind = finish_outcome::kind;
  if (outcome.what != kind::accepted) {
    out.orders.emplace_back(worker,
                            result_settled{key, outcome.what == kind::stale
                                                    ? result_verdict::stale
                                                    : result_verdict::counted});
    return;
  }
  auto& run = runs_.at(key.run);
  run.unsettled[key.job].emplace_back(worker, key);
  if (run.jobs.contains(key.job))
    answer(out, run, key.job, std::move(*what.result));
  else
    out.offers.push_back({key.run, std::move(*what.result)});
}

void pool_core::on(pool_step&, worker_id worker, const leases_returned& what,
                   microseconds now) {
  for (const auto& key : what.keys)
    table_.give_back(worker, key, now);
}

void pool_core::on(pool_step&, worker_id worker, const worker_drains&,
                   microseconds) {
  table_.drain(worker);
}

void pool_core::on(pool_step& out, worker_id worker, const worker_leaves& what,
                   microseconds now) {
  leave(out, worker, what.how, now);
}

} // namespace brewery

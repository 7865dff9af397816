/// The part of the job table that counts failures, decides who is to blame, and
/// gives jobs up (docs/adr/0009).

#include "cluster/table/job_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace brewery {

namespace {

/// The limit of `brewery quarantine list`; older entries are in the log.
constexpr std::size_t max_quarantine_listed = 1000;

} // namespace

void job_table::count_failure(worker_id id, worker_state& worker,
                              job_entry& job, const std::string& error,
                              microseconds now) {
  ++worker.failed;
  worker.last_error = error;
  job.blamed = true;
  job.retry_at = now + options_.retry_pause;
  job.failures.emplace_back(worker.spec.name, error);
  worker.failed_lately.insert(&job);
  if (worker.failed_lately.size() < options_.breaker_failures
      || !another_does_well(worker, job))
    return;
  // The failures of a worker that fails everything say nothing about the jobs:
  // they are taken off the jobs, and the worker is suspended.
  for (auto* other : worker.failed_lately) {
    const bool queued = other->state == job_state::queued;
    if (queued) dequeue(*other);
    std::erase_if(other->failures, [&](const auto& failure) {
      return failure.first == worker.spec.name;
    });
    if (queued) enqueue(*other, other->queued_at);
  }
  worker.failed_lately.clear();
  // What it had in hand when it was suspended says nothing new of it.
  if (worker.suspended_until != microseconds{0}) return;
  set_ready(id, false);
  constexpr std::uint32_t max_doublings = 4;
  worker.suspended_until =
      now
      + options_.breaker_pause
            * (1u << std::min(worker.suspensions++, max_doublings));
}

bool job_table::untried(const job_entry& job,
                        const worker_state& worker) const {
  return std::none_of(
      job.failures.begin(), job.failures.end(),
      [&](const auto& failure) { return failure.first == worker.spec.name; });
}

bool job_table::anyone_untried(const job_entry& job) const {
  return std::any_of(workers_.begin(), workers_.end(), [&](const auto& entry) {
    return usable(entry.second)
           && worker_classes_[entry.second.worker_class].can(job.spec.needs)
           && untried(job, entry.second);
  });
}

bool job_table::another_does_well(const worker_state& than,
                                  const job_entry& job) const {
  return std::any_of(workers_.begin(), workers_.end(), [&](const auto& entry) {
    const auto& other = entry.second;
    return &other != &than && usable(other) && other.done > 0
           && other.failed_lately.empty()
           && worker_classes_[other.worker_class].can(job.spec.needs);
  });
}

bool job_table::out_of_retries(const job_entry& job) const {
  std::set<std::string> names;
  for (const auto& [name, why] : job.failures)
    names.insert(name);
  if (names.size() >= options_.max_failures) return true;
  return job.failures.size() >= 2 * std::size_t{options_.max_failures}
         && !anyone_untried(job);
}

quarantined_job job_table::quarantine(job_entry& job, std::string reason) {
  quarantined_job out{job.owner->id, job.spec.id, std::move(reason)};
  ++counts_.quarantined;
  ++job.owner->given_up;
  quarantine_.push_back(out);
  if (quarantine_.size() > max_quarantine_listed) quarantine_.pop_front();
  // Treated as delivered: the askers get the verdict, which is journalled like
  // a result.
  job.state = job_state::delivered;
  ++counts_.delivered;
  return out;
}

} // namespace brewery

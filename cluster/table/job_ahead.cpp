/// The part of the job table that leases short jobs ahead to workers without a
/// free slot. Without, a worker's slot waits after each of them until the
/// coordinator has woken for the result and the worker for the next job; that
/// costs both more than such a job.
///
/// A job goes ahead only if those like it were short, and to a worker with
/// nothing but short ones, which did its last ones quickly. What another job
/// waits for with its slot never does, nor what failed or lost its worker: that
/// needs a slot for itself. While such a job is first in line, those who can do
/// it get nothing ahead, so that a slot becomes free for it. A worker gives
/// back what has no slot in time (worker_session::slot_wait_max) and gets
/// nothing ahead until it has ended another job.

#include "cluster/table/job_table.hpp"

#include <algorithm>

namespace brewery {

microseconds job_table::expected_of(const job_spec& job) const {
  return durations_.known(job.needs.kind, job.duration_key)
      .value_or(microseconds{0});
}

bool job_table::may_go_ahead(const job_entry& job) const {
  return !job.spec.holds_slot && !job.first_in_line
         && takes_little(expected_of(job.spec));
}

/// By what its jobs are expected to take, and by its own pace if it is slower.
bool job_table::takes_ahead(const worker_state& worker) {
  const auto played = worker.played.value();
  const auto leases = worker.leases.size();
  if (!played || *played >= short_job || worker.long_leases > 0
      || leases >= std::size_t{worker.spec.slots} + ahead_max)
    return false;
  const auto in_hand = std::max<microseconds>(
      worker.in_hand, static_cast<std::int64_t>(leases) * *played);
  return in_hand < worker.spec.slots * ahead_for;
}

/// Not of a benchmark with slots of its own: a worker begins what it has in
/// hand as soon as any slot is free.
std::optional<granted_lease> job_table::next_ahead(microseconds now) {
  std::vector<bool> open; // the classes for which nothing goes before
  for (const auto& one : worker_classes_)
    open.push_back(!one.ahead.empty());
  const auto keep_slots_for = [&](const job_needs& needs, bool may_go_ahead) {
    for (std::size_t i = 0; i < open.size(); ++i) {
      const auto& one = worker_classes_[i];
      const bool has_own = &one.list_for(needs) != &one.ready;
      if (one.can(needs) && (has_own || !may_go_ahead)) open[i] = false;
    }
  };
  const auto room_for = [&](const job_needs& needs) {
    const ready_list* best = nullptr;
    for (std::size_t i = 0; i < open.size(); ++i) {
      const auto& one = worker_classes_[i];
      if (open[i] && one.can(needs)
          && (!best || *one.ahead.begin() < *best->begin()))
        best = &one.ahead;
    }
    return best;
  };
  if (std::ranges::find(open, true) == open.end()) return std::nullopt;
  for (auto* run : runs_in_order()) {
    for (const auto* job : run->retries)
      if (now >= job->retry_at || anyone_untried(*job))
        keep_slots_for(job->spec.needs, false);
    std::vector<job_entry*> firsts;
    for (const auto& [needs, queue] : run->queues)
      if (!queue.empty()) firsts.push_back(*queue.begin());
    std::ranges::sort(firsts, goes_first{});
    for (auto* job : firsts) {
      const bool may = may_go_ahead(*job);
      keep_slots_for(job->spec.needs, may);
      const auto* workers = may ? room_for(job->spec.needs) : nullptr;
      if (!workers) continue;
      ++counts_.ahead;
      return grant_queued(*job, std::get<worker_id>(*workers->begin()), now);
    }
  }
  return std::nullopt;
}

} // namespace brewery

#include "sweep/shared_logs.hpp"

#include "actors/job_log.hpp"
#include "messages/wire/codec.hpp"

namespace brewery {

void shared_logs::add_known(const run_id& run,
                            std::map<job_id, shared_place>& known) const {
  const auto log = event_log::open_for_reading(sweep_ / run.value);
  if (!log) return;
  const auto memo = load_memo(**log);
  if (!memo) return;
  for (const auto& [job, event] : memo->logged)
    known.try_emplace(job, shared_place{run, event});
}

result<packed_result> shared_logs::read(const shared_place& place) {
  auto found = open_.find(place.run);
  if (found == open_.end()) {
    if (open_.size() >= open_max) open_.clear();
    auto log = event_log::open_for_reading(sweep_ / place.run.value);
    if (!log) return log.error();
    found = open_.emplace(place.run, std::move(*log)).first;
  }
  const auto row = found->second->read(place.event);
  if (!row) return row.error();
  auto whole = wire::decode<job_result>(row->payload);
  if (!whole) return whole.error();
  const auto* rollout = std::get_if<rollout_result>(&whole->output);
  if (rollout && !rollout->reused_from.empty())
    return error{ec::not_found, "it stands on another rollout of its run"};
  return pack(std::move(*whole));
}

} // namespace brewery

#include "report/log_history.hpp"

#include "cluster/ledger/memo_loader.hpp"
#include "messages/job_msgs.hpp"
#include "messages/search_msgs.hpp"
#include "messages/side_records.hpp"

#include <algorithm>
#include <functional>

namespace brewery {

static_assert(log_history::results == job_result::type_name);

namespace {

std::uint64_t hash_of(const std::string& job) {
  return std::hash<std::string>{}(job) | 1U;
}

bool is_evaluation(const event_row& row) {
  return row.kind == evaluation_record::type_name
         || (row.kind == purpose_record::type_name
             && row.key.starts_with(arm_key_begin));
}

} // namespace

bool log_history::take_back(flat_map<std::uint64_t>& done,
                            const event_row& row) {
  const auto [at, is_new] = done.try_emplace(hash_of(row.key));
  if (*at == 0) return false; // there was nothing to take back
  gap now{std::exchange(*at, 0), row.seq};
  while (!gaps_.empty() && gaps_.back().until >= now.after) {
    now.after = std::min(now.after, gaps_.back().after);
    gaps_.pop_back();
  }
  gaps_.push_back(now);
  return true;
}

bool log_history::take(const event_row& row) {
  seen_ = row.seq;
  if (row.kind == retry_event) return take_back(verdicts_, row);
  if (row.kind == retry_result_event) return take_back(results_, row);
  if (row.kind == job_result::type_name || row.kind == verdict_event) {
    auto& done = row.kind == verdict_event ? verdicts_ : results_;
    const auto [at, is_new] = done.try_emplace(hash_of(row.key));
    if (*at == 0) *at = row.seq;
    if (row.kind == verdict_event) return false;
    last_result_ = row.seq;
    last_job_ = row.key;
    return false;
  }
  if (row.kind != run_record::type_name) return false;
  return std::exchange(began_, row.seq) > 0;
}

bool log_history::holds(const event_row& row) const {
  if (row.kind == job_result::type_name || row.kind == verdict_event) {
    const auto& done = row.kind == verdict_event ? verdicts_ : results_;
    const auto* at = done.find(hash_of(row.key));
    return at != nullptr && *at == row.seq;
  }
  if (row.kind == reuse_check_event || row.kind == retry_event
      || row.kind == retry_result_event)
    return true; // no decision
  if (row.seq < began_ && is_evaluation(row)) return false;
  const auto next = std::ranges::upper_bound(
      gaps_, row.seq, {}, [](const auto& one) { return one.until; });
  return next == gaps_.end() || row.seq <= next->after;
}

bool log_history::is_of(const event_log& log) const {
  if (log.last_seq() < seen_) return false;
  if (last_result_ == 0) return true;
  const auto row = log.read(last_result_);
  return !row || row->key == last_job_; // a damaged one says nothing
}

} // namespace brewery

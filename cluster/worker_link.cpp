#include "cluster/worker_link.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace brewery {

worker_link::worker_link(const cluster_options& options, std::uint64_t session,
                         microseconds now)
    : options_(options), session_(session), last_heard_(now) {}

void worker_link::offer(const lease_key& key,
                        std::shared_ptr<const std::string> frame,
                        microseconds now) {
  leases_[{key.run, key.job}] = {
      key, progress::offered, now + 2 * options_.heartbeat,
      now + offered_leases_max * options_.lease, std::move(frame)};
}

void worker_link::adopted(const lease_key& key, bool is_delivered,
                          microseconds now) {
  leases_[{key.run, key.job}] = {
      key, is_delivered ? progress::delivered : progress::seen, now, now,
      nullptr};
}

bool worker_link::has(const lease_key& key) const {
  const auto it = leases_.find({key.run, key.job});
  return it != leases_.end() && it->second.key == key;
}

void worker_link::end(const lease_key& key) {
  if (has(key)) leases_.erase({key.run, key.job});
}

bool worker_link::delivered(const lease_key& key) {
  if (!has(key)) return true; // will be refused as stale
  auto& entry = leases_.at({key.run, key.job});
  if (entry.state == progress::delivered) return false;
  entry.state = progress::delivered;
  entry.frame = nullptr;
  return true;
}

void worker_link::heard(microseconds now) {
  last_heard_ = now;
  broken_since_.reset();
}

worker_link::heartbeat_outcome worker_link::on(const worker_heartbeat& beat,
                                               microseconds now) {
  heard(now);
  heartbeat_outcome out;
  if (beat.sequence <= last_sequence_) return out;
  last_sequence_ = beat.sequence;
  out.reply = heartbeat_reply{session_, beat.sequence, {}};
  std::set<job_key> named;
  for (const auto& entry : beat.jobs) {
    out.steps += entry.steps;
    const auto it = leases_.find({entry.key.run, entry.key.job});
    if (it == leases_.end() || it->second.key != entry.key) {
      out.reply->cancelled.push_back(entry.key);
      continue;
    }
    named.insert(it->first);
    if (it->second.state == progress::offered) {
      it->second.state = progress::seen;
      it->second.frame = nullptr;
    }
  }
  for (auto it = leases_.begin(); it != leases_.end();) {
    const auto& entry = it->second;
    const bool ignored =
        entry.state == progress::offered && now >= entry.offered_until;
    const bool lost =
        entry.state == progress::seen && !named.contains(it->first);
    if (ignored) out.ignored.push_back(entry.key);
    if (lost) out.returned.push_back(entry.key);
    it = ignored || lost ? leases_.erase(it) : std::next(it);
  }
  return out;
}

std::vector<std::shared_ptr<const std::string>>
worker_link::tick(microseconds now) {
  std::vector<std::shared_ptr<const std::string>> out;
  for (auto& [job, entry] : leases_)
    if (entry.state == progress::offered && entry.resend_at <= now) {
      entry.resend_at = now + 2 * options_.heartbeat;
      out.push_back(entry.frame);
    }
  return out;
}

void worker_link::disconnected(microseconds now) {
  if (!broken_since_) broken_since_ = now;
}

worker_link::health worker_link::check(microseconds now) const {
  if (broken_since_ && now - *broken_since_ >= options_.suspicion)
    return health::gone;
  return now - last_heard_ >= options_.lease ? health::expired : health::alive;
}

} // namespace brewery

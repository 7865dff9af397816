/// What a worker does on each message of its coordinator.

#include "base/text.hpp"
#include "cluster/questions/protocol3_grades.hpp"
#include "cluster/worker_session.hpp"

#include <algorithm>

namespace brewery {

namespace {

constexpr std::size_t max_ended = 256;
/// No lease is longer. A peer may send any number, and milliseconds of 64 bits
/// do not fit into an instant.
constexpr std::uint64_t longest_ms = std::uint64_t{24} * 3'600'000;

std::chrono::milliseconds from_peer(std::uint64_t ms) {
  return std::chrono::milliseconds{std::min(ms, longest_ms)};
}

} // namespace

worker_step worker_session::on(const wire::message& message, microseconds now) {
  worker_step out;
  if (left_) return out;
  std::visit([&](const auto& one) { on(out, one, now); }, message);
  return out;
}

void worker_session::on(worker_step& out, const worker_welcome& message,
                        microseconds now) {
  if (session_ != 0 || message.hello != hello_ || message.session == 0) return;
  session_ = message.session;
  protocol_ = message.protocol;
  heard_at_ = now;
  hellos_unheard_ = 0;
  if (message.lease_ms > 0) options_.lease = from_peer(message.lease_ms);
  if (message.heartbeat_ms > 0)
    options_.heartbeat = from_peer(message.heartbeat_ms);
  keep_adopted(out, message, now);
  // Late copies of another session's grants are refused as such. A coordinator
  // that lost its number of starts may give the same keys again.
  ended_.clear();
  for (auto& [hash, at] : wanted_)
    at = now;
  beat_ = 0;
  beat(out, now);
  model_asks_.renew();
  grade_asks_.renew();
  send_asks(out, now);
  leave_if_done(out);
}

void worker_session::keep_adopted(worker_step& out,
                                  const worker_welcome& message,
                                  microseconds now) {
  cluster_ = message.cluster;
  std::map<job_key, lease_key> adopted;
  for (const auto& key : message.adopted)
    adopted.emplace(job_key{key.run, key.job}, key);
  std::vector<job_key> dropped, of_others;
  std::size_t lost = 0;
  for (auto& [job, entry] : assigned_) {
    const auto it = adopted.find(job);
    if (is_of_another(entry, it != adopted.end())) {
      of_others.push_back(job);
    } else if (it == adopted.end()) {
      dropped.push_back(job);
      lost += entry.finished ? 1 : 0;
    } else {
      entry.key = it->second;
      entry.cluster = cluster_;
      entry.resends = 0;
      if (entry.finished) report(out, entry, now);
    }
  }
  for (const auto& job : dropped)
    drop(out, job);
  for (const auto& job : of_others)
    set_aside(out, job);
  std::vector<std::string> news;
  if (!of_others.empty())
    news.push_back(counted(of_others.size(), "result")
                   + " left: of another coordinator");
  if (lost > 0)
    news.push_back(counted(lost, "result")
                   + " dropped: their run is not known, or has them already");
  out.note = join(news, "; ");
}

/// What runs goes to whoever adopts it: the same job has the same result. What
/// is finished belongs to whoever asked for it.
bool worker_session::is_of_another(const assigned_job& entry,
                                   bool adopted) const {
  if (!entry.finished || entry.cluster.empty() || entry.cluster == cluster_)
    return false;
  // A coordinator without a name, of an older release, may be the same.
  return !cluster_.empty() || !adopted;
}

void worker_session::set_aside(worker_step& out, const job_key& job) {
  const auto it = assigned_.find(job);
  if (!it->second.spooled) out.to_spool.push_back(for_spool(it->second));
  out.set_aside.push_back(it->second.key);
  assigned_.erase(it);
}

void worker_session::on(worker_step& out, const peer_refusal& message,
                        microseconds now) {
  if (message.session != session_) return;
  if (!message.hello_again) {
    out = hand_back("the coordinator refused this worker: " + message.reason,
                    now);
    out.send.clear(); // the peer is not listening
    return;
  }
  // `tick` repeats a hello that was refused for now.
  unanswered_since_ = now;
  unanswered_at_ = now + unanswered_max;
  if (session_ == 0) return;
  out.note = "the coordinator refused this session (" + message.reason
             + "): it has restarted, or waited for longer than a lease; "
               "joining again";
  say_hello(out, now);
}

void worker_session::on(worker_step& out, const lease_grant& message,
                        microseconds now) {
  if (!is_ours(message.session)) return;
  heard_at_ = now;
  const auto& key = message.key;
  // Attempts have unique numbers, so comparing them is nearly always enough.
  if (std::any_of(ended_.begin(), ended_.end(), [&](const auto& ended) {
        return ended.attempt == key.attempt && ended == key;
      }))
    return;
  const job_key job{key.run, key.job};
  if (const auto it = assigned_.find(job); it != assigned_.end()) {
    it->second.key = key;
    if (it->second.finished) report(out, it->second, now);
    return;
  }
  assigned_job entry;
  entry.key = key;
  entry.cluster = cluster_;
  assigned_.emplace(job, std::move(entry));
  out.start.push_back(message);
}

void worker_session::on(worker_step& out, const heartbeat_reply& message,
                        microseconds now) {
  if (!is_ours(message.session)) return;
  heard_at_ = now;
  for (const auto& key : message.cancelled)
    forget(out, key);
  leave_if_done(out);
}

void worker_session::on(worker_step& out, const result_ack& message,
                        microseconds now) {
  if (!is_ours(message.session)) return;
  heard_at_ = now;
  forget(out, message.key);
  leave_if_done(out);
}

void worker_session::on(worker_step& out, const lease_cancel& message,
                        microseconds now) {
  if (!is_ours(message.session)) return;
  heard_at_ = now;
  forget(out, message.key);
  leave_if_done(out);
}

void worker_session::on(worker_step& out, const drain_order& message,
                        microseconds now) {
  if (!is_ours(message.session)) return;
  auto more = drain(message.reason, now);
  out.send.insert(out.send.end(), more.send.begin(), more.send.end());
  if (more.leave) out.leave = more.leave;
}

void worker_session::on(worker_step& out, const blob_content& message,
                        microseconds now) {
  heard_at_ = now;
  if (wanted_.erase(message.hash) > 0) out.blobs.push_back(message);
}

void worker_session::on(worker_step& out, const model_reply& message,
                        microseconds now) {
  if (message.number == grade_number)
    return on(out, as_grade_reply(message), now);
  if (!is_ours(message.session)) return;
  heard_at_ = now;
  if (model_asks_.answered(message)) out.replies.push_back(message);
}

void worker_session::on(worker_step& out, const grade_reply& message,
                        microseconds now) {
  if (!is_ours(message.session)) return;
  heard_at_ = now;
  if (grade_asks_.answered(message)) out.grades.push_back(message);
}

/// Only under exactly this key: the job may have been leased again.
void worker_session::forget(worker_step& out, const lease_key& key) {
  const job_key job{key.run, key.job};
  const auto it = assigned_.find(job);
  if (it == assigned_.end() || it->second.key != key) return;
  drop(out, job);
}

void worker_session::drop(worker_step& out, const job_key& job) {
  const auto it = assigned_.find(job);
  model_asks_.forget(job.first, job.second);
  grade_asks_.forget(job.first, job.second);
  ended_.push_back(it->second.key);
  if (ended_.size() > max_ended) ended_.pop_front();
  if (!it->second.finished)
    out.stop.push_back(it->second.key);
  else if (it->second.spooled)
    out.unspool.push_back(it->second.key);
  assigned_.erase(it);
}

} // namespace brewery

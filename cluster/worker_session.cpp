#include "cluster/worker_session.hpp"

#include "base/compression.hpp"
#include "cluster/questions/protocol3_grades.hpp"

#include <algorithm>
#include <utility>

namespace brewery {

namespace {

/// The interval of ticks without a session.
constexpr microseconds poll_interval{50'000};

/// A disk that is full stays so for a while.
constexpr std::chrono::seconds spool_again_after{30};

} // namespace

worker_session::worker_session(worker_profile profile,
                               const cluster_options& options,
                               std::vector<spooled_result> spooled)
    : profile_(std::move(profile)), options_(options) {
  for (auto& item : spooled) {
    assigned_job entry;
    entry.key = item.key;
    entry.finished = true;
    entry.result = std::move(item.result);
    entry.error = std::move(item.error);
    entry.cluster = std::move(item.cluster);
    entry.spooled = true;
    assigned_[{item.key.run, item.key.job}] = std::move(entry);
  }
}

microseconds worker_session::tick_every() const {
  if (session_ == 0) return poll_interval;
  return std::min<microseconds>(options_.heartbeat, options_.spool_after) / 2;
}

void worker_session::unsent(microseconds now) {
  if (session_ == 0) hello_at_ = std::min(hello_at_, now + poll_interval);
}

std::size_t worker_session::running() const {
  return assigned_.size() - unacknowledged();
}

std::size_t worker_session::unacknowledged() const {
  return static_cast<std::size_t>(
      std::count_if(assigned_.begin(), assigned_.end(),
                    [](const auto& entry) { return entry.second.finished; }));
}

microseconds worker_session::backoff(std::uint32_t tries) const {
  constexpr std::uint32_t max_doublings = 3;
  return options_.resend * (1u << std::min(tries, max_doublings));
}

std::vector<worker_job> worker_session::holdings() const {
  std::vector<worker_job> out;
  for (const auto& [job, entry] : assigned_)
    out.push_back({entry.key, entry.finished, entry.steps});
  return out;
}

void worker_session::say_hello(worker_step& out, microseconds now) {
  if (hellos_unheard_ == 0) {
    unanswered_since_ = now;
    unanswered_at_ = now + unanswered_max;
  }
  session_ = 0;
  worker_hello hello;
  hello.sequence = ++hello_;
  hello.build = profile_.build;
  hello.worker = profile_.name;
  hello.incarnation = profile_.incarnation;
  hello.host = profile_.host;
  hello.slots = profile_.slots;
  for (const auto role : profile_.roles)
    hello.roles.emplace_back(to_string(role));
  hello.benchmarks = profile_.benchmarks;
  hello.jobs = holdings();
  hello.tags = profile_.tags;
  hello.slots_for = profile_.slots_for;
  out.send.emplace_back(std::move(hello));
  hello_at_ = now + backoff(hellos_unheard_++);
}

namespace {

/// A result for a coordinator that neither knows compression nor packing.
std::string in_plain_form(std::string result) {
  if (is_compressed(result))
    if (auto whole = decompress(result, wire::max_frame_bytes))
      result = std::move(*whole);
  if (const auto read = wire::decode<job_result>(result))
    return wire::encode(*read, wire::writer::form::plain);
  return result; // it is refused there, with the reason
}

} // namespace

void worker_session::report(worker_step& out, assigned_job& entry,
                            microseconds now) {
  auto result = protocol_ < protocol_with_compression
                    ? in_plain_form(entry.result)
                    : entry.result;
  out.send.emplace_back(result_report{session_, entry.key, std::move(result),
                                      entry.error, entry.played_us});
  entry.resend_at = now + backoff(entry.resends++);
}

void worker_session::beat(worker_step& out, microseconds now) {
  out.send.emplace_back(worker_heartbeat{
      session_, ++beat_, holdings(), draining_, {log_.begin(), log_.end()}});
  log_.clear();
  beat_at_ = now + options_.heartbeat;
}

void worker_session::log(std::string line) {
  if (log_.size() == log_lines_max) log_.pop_front();
  log_.push_back(std::move(line));
}

worker_step worker_session::begin(microseconds now) {
  worker_step out;
  say_hello(out, now);
  return out;
}

worker_step worker_session::finished(const run_id& run, const job_id& job,
                                     std::string result, std::string error,
                                     microseconds now, microseconds played) {
  worker_step out;
  const auto it = assigned_.find({run, job});
  if (it == assigned_.end()) return out; // cancelled in the meantime
  auto& entry = it->second;
  entry.finished = true;
  model_asks_.forget(run, job);
  grade_asks_.forget(run, job);
  entry.result = std::move(result);
  entry.error = std::move(error);
  if (std::in_range<std::uint32_t>(played.count()))
    entry.played_us = static_cast<std::uint32_t>(played.count());
  entry.spool_at = now + options_.spool_after;
  entry.resend_at = now;
  if (session_ != 0) report(out, entry, now);
  return out;
}

void worker_session::progress(const run_id& run, const job_id& job,
                              std::uint64_t steps) {
  const auto it = assigned_.find({run, job});
  if (it != assigned_.end()) it->second.steps = steps;
}

worker_step worker_session::fetch(const std::vector<std::string>& hashes,
                                  microseconds now) {
  worker_step out;
  std::vector<std::string> fresh;
  for (const auto& hash : hashes)
    if (wanted_.emplace(hash, now + options_.resend).second)
      fresh.push_back(hash);
  if (!fresh.empty() && session_ != 0)
    out.send.emplace_back(blob_request{session_, std::move(fresh)});
  return out;
}

bool worker_session::runs(const run_id& run, const job_id& job) const {
  const auto it = assigned_.find({run, job});
  return it != assigned_.end() && !it->second.finished;
}

worker_step worker_session::ask_model(const run_id& run, const job_id& job,
                                      std::uint32_t number, std::string call,
                                      microseconds now) {
  worker_step out;
  if (runs(run, job)) model_asks_.add({0, run, job, number, std::move(call)});
  send_asks(out, now);
  return out;
}

worker_step worker_session::ask_grade(const run_id& run, const job_id& job,
                                      const task_id& task,
                                      const std::vector<answer_file>& answers,
                                      microseconds now) {
  worker_step out;
  if (runs(run, job)) grade_asks_.add({0, run, job, task, answers});
  send_asks(out, now);
  return out;
}

void worker_session::send_asks(worker_step& out, microseconds now) {
  if (session_ == 0) return;
  for (auto& ask : model_asks_.due(session_, now, now + options_.lease))
    send(out, std::move(ask));
  for (auto& ask : grade_asks_.due(session_, now, now + options_.lease))
    send(out, std::move(ask));
}

void worker_session::send(worker_step& out, model_ask ask) {
  if (protocol_ >= protocol_with_models) {
    out.send.emplace_back(std::move(ask));
    return;
  }
  model_reply no;
  no.run = ask.run;
  no.job = ask.job;
  no.number = ask.number;
  no.code = ec::version_mismatch;
  no.error = "the coordinator is too old to serve language models";
  (void)model_asks_.answered(no);
  out.replies.push_back(std::move(no));
}

void worker_session::send(worker_step& out, grade_ask ask) {
  if (protocol_ >= protocol_with_grades) {
    out.send.emplace_back(std::move(ask));
    return;
  }
  if (protocol_ >= protocol_with_models) {
    out.send.emplace_back(as_model_ask(ask));
    return;
  }
  grade_reply no;
  no.run = ask.run;
  no.job = ask.job;
  no.task = ask.task;
  no.code = ec::version_mismatch;
  no.error = "the coordinator is too old to grade rollouts of its workers";
  (void)grade_asks_.answered(no);
  out.grades.push_back(std::move(no));
}

worker_step worker_session::tick(microseconds now) {
  worker_step out;
  if (left_) return out;
  // Not measured as wall time: a pause of this process counts too. So it asks
  // before it relies on leases that others may have got meanwhile.
  if (session_ != 0 && now - heard_at_ >= options_.lease) {
    out.note = "the coordinator is silent; trying to reach it";
    say_hello(out, now);
  } else if (session_ == 0 && now >= hello_at_) {
    say_hello(out, now);
  }
  if (session_ == 0 && now >= unanswered_at_) {
    out.unanswered = true;
    unanswered_at_ = now + unanswered_again;
  }
  for (auto& [job, entry] : assigned_) {
    if (!entry.finished) continue;
    if (!entry.spooled && now >= entry.spool_at) {
      entry.spooled = true;
      out.to_spool.push_back(for_spool(entry));
    }
    if (session_ != 0 && now >= entry.resend_at) report(out, entry, now);
  }
  if (session_ == 0) return out;
  if (now >= beat_at_) beat(out, now);
  send_asks(out, now);
  std::vector<std::string> again;
  for (auto& [hash, at] : wanted_)
    if (now >= at) {
      at = now + options_.resend;
      again.push_back(hash);
    }
  if (!again.empty())
    out.send.emplace_back(blob_request{session_, std::move(again)});
  return out;
}

spooled_result worker_session::for_spool(const assigned_job& entry) {
  return {entry.key, entry.result, entry.error, entry.cluster};
}

void worker_session::not_spooled(const lease_key& key, microseconds now) {
  const auto found = assigned_.find({key.run, key.job});
  if (found == assigned_.end()) return;
  found->second.spooled = false;
  found->second.spool_at = now + spool_again_after;
}

worker_step worker_session::drain(std::string reason, microseconds now) {
  worker_step out;
  if (draining_ || left_) return out;
  draining_ = true;
  drain_reason_ = std::move(reason);
  if (session_ != 0) beat(out, now);
  leave_if_done(out);
  return out;
}

void worker_session::leave_if_done(worker_step& out) {
  if (!draining_ || !assigned_.empty() || left_) return;
  left_ = true;
  if (session_ != 0)
    out.send.emplace_back(worker_goodbye{session_, {}, drain_reason_});
  out.leave = drain_reason_;
}

worker_step worker_session::hand_back(std::string reason, microseconds) {
  worker_step out;
  if (left_) return out;
  left_ = true;
  std::vector<lease_key> back;
  for (auto& [job, entry] : assigned_) {
    if (!entry.finished) {
      back.push_back(entry.key);
      out.stop.push_back(entry.key);
    } else if (!entry.spooled) {
      out.to_spool.push_back(for_spool(entry));
    }
  }
  if (session_ != 0)
    out.send.emplace_back(worker_goodbye{session_, std::move(back), reason});
  out.leave = std::move(reason);
  return out;
}

} // namespace brewery

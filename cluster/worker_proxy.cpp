#include "cluster/worker_proxy.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "cluster/job_spec.hpp"
#include "cluster/worker_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace brewery {

worker_proxy::worker_proxy(settings about, microseconds now)
    : about_(std::move(about)), link_(about_.options, about_.session, now),
      questions_(about_.session, about_.has_models) {}

void worker_proxy::say(proxy_step& out, const std::string& what) const {
  out.news.push_back(single_line(
      fmt::format("worker {} {}", about_.hello.worker, what), shown_bytes_max));
}

bool worker_proxy::takes_batches() const {
  return common_protocol(about_.hello) >= protocol_with_batches;
}

void worker_proxy::leave(proxy_step& out, job_table::departure how,
                         const std::string& why) const {
  say(out, why);
  if (worker_.value != 0) out.reports.emplace_back(worker_leaves{how});
  out.ended = true;
}

// -- from the pool -----------------------------------------------------------

proxy_step worker_proxy::joined(const joined_worker& answer, microseconds now) {
  proxy_step out;
  worker_ = answer.worker;
  const auto& hello = about_.hello;
  worker_welcome message;
  message.hello = hello.sequence;
  message.protocol = common_protocol(hello);
  message.session = about_.session;
  message.epoch = about_.epoch;
  message.cluster = about_.cluster;
  message.lease_ms = static_cast<std::uint64_t>(about_.options.lease.count());
  message.heartbeat_ms =
      static_cast<std::uint64_t>(about_.options.heartbeat.count());
  for (const auto& adopted : answer.adopted) {
    link_.adopted(adopted.key, adopted.delivered, now);
    message.adopted.push_back(adopted.key);
  }
  say(out,
      fmt::format("joined: {} on {}, protocol {}, {} of {} jobs "
                  "in hand adopted",
                  counted(hello.slots, "slot"), hello.host, message.protocol,
                  message.adopted.size(), hello.jobs.size()));
  out.send.emplace_back(std::move(message));
  if (answer.drains) carry_out(out, *answer.drains, now);
  return out;
}

proxy_step worker_proxy::order(const worker_order& what, microseconds now) {
  proxy_step out;
  std::visit([&](const auto& one) { carry_out(out, one, now); }, what);
  return out;
}

void worker_proxy::carry_out(proxy_step& out, const lease_order& order,
                             microseconds now) {
  lease_grant grant;
  grant.session = about_.session;
  grant.key = order.key;
  grant.setup = order.setup;
  using form = wire::writer::form;
  const auto protocol = common_protocol(about_.hello);
  grant.work = wire::encode(
      *order.work, protocol >= protocol_with_pools         ? form::newest
                   : protocol >= protocol_with_compression ? form::packed
                                                           : form::plain);
  grant.time_limit_ms =
      static_cast<std::uint64_t>(about_.options.job_limit.count());
  auto frame = std::make_shared<const std::string>(wire::frame(grant));
  if (frame->size() > wire::max_frame_bytes) { // the worker would disconnect
    out.reports.emplace_back(
        lease_result{order.key, nullptr,
                     fmt::format("the job has {} bytes, more than the {} a "
                                 "message may have",
                                 frame->size(), wire::max_frame_bytes)});
    return;
  }
  link_.offer(order.key, frame, now);
  out.frames.push_back(std::move(frame));
}

void worker_proxy::carry_out(proxy_step& out, const result_settled& order,
                             microseconds) {
  link_.end(order.key);
  out.send.emplace_back(result_ack{about_.session, order.key, order.verdict});
}

void worker_proxy::carry_out(proxy_step& out, const lease_ended& order,
                             microseconds) {
  link_.end(order.key);
  out.send.emplace_back(lease_cancel{about_.session, order.key});
}

void worker_proxy::carry_out(proxy_step& out, const drain_worker& order,
                             microseconds) {
  drain_ = order.reason;
  out.send.emplace_back(drain_order{about_.session, order.reason});
}

// -- from the worker ---------------------------------------------------------

proxy_step worker_proxy::unreadable(const error& why) const {
  proxy_step out;
  say(out, "sent something unreadable: " + why.message);
  return out;
}

proxy_step worker_proxy::receive(const wire::message& message,
                                 microseconds now) {
  proxy_step out;
  const auto session = wire::session_of(message);
  // The worker does not know its session yet either.
  if (worker_.value == 0) return out;
  if (session != about_.session) {
    out.send.emplace_back(peer_refusal{session, "unknown session", true});
    return out;
  }
  link_.heard(now);
  std::visit([&](const auto& one) { on(out, one, now); }, message);
  return out;
}

void worker_proxy::on(proxy_step& out, const worker_heartbeat& message,
                      microseconds now) {
  auto outcome = link_.on(message, now);
  const auto lines =
      std::min(message.log.size(), worker_session::log_lines_max);
  for (std::size_t i = 0; i < lines; ++i)
    out.log.push_back(
        single_line(message.log[i], worker_session::log_bytes_max));
  if (message.draining)
    out.reports.emplace_back(worker_drains{});
  else if (drain_) // the order was lost
    out.send.emplace_back(drain_order{about_.session, *drain_});
  fail_ignored(out, outcome.ignored);
  if (!outcome.returned.empty())
    out.reports.emplace_back(leases_returned{std::move(outcome.returned)});
  if (outcome.reply) out.send.emplace_back(std::move(*outcome.reply));
}

/// Failures: the worker is well and hears of other things. A job that nobody
/// can take would go from one to the next for ever.
void worker_proxy::fail_ignored(proxy_step& out,
                                const std::vector<lease_key>& ignored) const {
  if (ignored.empty()) return;
  const auto seconds = static_cast<double>(worker_link::offered_leases_max
                                           * about_.options.lease.count())
                       / 1000;
  say(out, fmt::format("has not taken {} that it was offered for {} s",
                       counted(ignored.size(), "job"), seconds));
  for (const auto& key : ignored)
    out.reports.emplace_back(lease_result{
        key, nullptr,
        fmt::format("it was offered for {} s and not taken", seconds)});
}

void worker_proxy::on(proxy_step& out, const result_report& message,
                      microseconds) {
  if (!link_.has(message.key)) { // settled as stale: nobody reads it
    out.reports.emplace_back(
        lease_result{message.key, nullptr, "the worker has no such lease"});
    return;
  }
  if (!link_.delivered(message.key)) return;
  lease_result result{message.key, nullptr,
                      single_line(message.error, shown_bytes_max)};
  result.played = microseconds{message.played_us};
  if (result.error.empty()) {
    auto answer = unpack_result(message.result);
    if (answer && answer->brief.id == message.key.job)
      result.result = std::make_shared<packed_result>(std::move(*answer));
    else
      result.error =
          answer ? "its result is of another job" : answer.error().message;
  }
  if (!result.error.empty())
    say(out,
        fmt::format("failed job {}: {}", message.key.job.value, result.error));
  out.reports.emplace_back(std::move(result));
}

/// One request frame can name the same document a quarter of a million times.
/// Each document is sent once, and the total is limited. The worker asks again
/// for what did not arrive.
void worker_proxy::on(proxy_step& out, const blob_request& message,
                      microseconds) {
  constexpr std::size_t most_hashes = 1024;
  std::set<std::string_view> named;
  for (const auto& hash : message.hashes) {
    if (named.size() >= most_hashes) return;
    if (named.insert(hash).second) out.contents.push_back(hash);
  }
}

void worker_proxy::on(proxy_step& out, const model_ask& message, microseconds) {
  ask(out, questions_.on(message));
}

void worker_proxy::on(proxy_step& out, const grade_ask& message, microseconds) {
  ask(out, questions_.on(message));
}

void worker_proxy::ask(proxy_step& out, job_questions::outcome what) const {
  if (auto* call = std::get_if<model_question>(&what))
    out.models.push_back(std::move(*call));
  else if (auto* grade = std::get_if<grade_question>(&what))
    out.grades.push_back(std::move(*grade));
  else if (auto* reply = std::get_if<wire::message>(&what))
    out.send.push_back(std::move(*reply));
}

proxy_step worker_proxy::answered(const question_place& place,
                                  const result<model_answer>& answer) {
  proxy_step out;
  out.send.emplace_back(questions_.answered(place, answer));
  return out;
}

proxy_step worker_proxy::graded(const question_place& place,
                                const result<job_result>& answer) {
  proxy_step out;
  out.send.emplace_back(questions_.graded(place, answer));
  return out;
}

void worker_proxy::on(proxy_step& out, const worker_goodbye& message,
                      microseconds) {
  out.reports.emplace_back(leases_returned{message.handed_back});
  leave(out, job_table::departure::left, "left: " + message.reason);
}

// -- its end -----------------------------------------------------------------

proxy_step worker_proxy::replaced() const {
  proxy_step out;
  leave(out, job_table::departure::replaced, "connects again");
  return out;
}

proxy_step worker_proxy::dismissed(const std::string& why) const {
  proxy_step out;
  out.send.emplace_back(peer_refusal{session(), why, false});
  leave(out, job_table::departure::expired, "is sent away: " + why);
  return out;
}

proxy_step worker_proxy::check(microseconds now) {
  proxy_step out;
  using health = worker_link::health;
  switch (link_.check(now)) {
  case health::gone:
    leave(out, job_table::departure::crashed,
          "is gone: its connection broke and was not restored");
    break;
  case health::expired:
    leave(
        out, job_table::departure::expired,
        fmt::format("has been silent for {} s: paused or disconnected; its "
                    "jobs go to others",
                    static_cast<double>(about_.options.lease.count()) / 1000));
    break;
  case health::alive:
    out.frames = link_.tick(now);
    break;
  }
  return out;
}

} // namespace brewery

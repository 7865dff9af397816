#include "workers/remote_worker.hpp"

#include "cluster/facts.hpp"
#include "messages/wire/frame.hpp"

#include <fmt/format.h>

#include <chrono>
#include <set>

namespace brewery {

namespace {

using self_ptr = remote_worker_actor::stateful_pointer<remote_worker_state>;

instant steady_now() {
  return std::chrono::duration_cast<instant>(
      std::chrono::steady_clock::now().time_since_epoch());
}

template <class T>
void send(remote_worker_state& state, const T& message) {
  state.in.send(std::make_shared<const std::string>(wire::frame(message)));
}

template <class T>
void report(self_ptr self, T what) {
  auto& state = state_of(self);
  tell(self, state.in.pool, from_worker{state.number, std::move(what)});
}

void say(remote_worker_state& state, const std::string& what) {
  if (state.in.on_event)
    state.in.on_event(
        shown(fmt::format("worker {} {}", state.in.hello.worker, what)));
}

void leave(self_ptr self, job_table::departure how, const std::string& why) {
  auto& state = state_of(self);
  say(state, why);
  if (state.joined) report(self, worker_leaves{how});
  self->quit();
}

// -- from the pool -----------------------------------------------------------

void welcome(self_ptr self, const joined_worker& joined) {
  auto& state = state_of(self);
  const auto now = state.in.now();
  state.joined = true;
  state.number = joined.worker;
  worker_welcome message;
  message.hello = state.in.hello.sequence;
  message.protocol = common_protocol(state.in.hello);
  message.session = state.in.session;
  message.epoch = state.in.epoch;
  message.lease_ms = static_cast<std::uint64_t>(state.in.options.lease.count());
  message.heartbeat_ms =
      static_cast<std::uint64_t>(state.in.options.heartbeat.count());
  for (const auto& kept : joined.adopted) {
    state.link->adopted(kept.key, kept.delivered, now);
    message.adopted.push_back(kept.key);
  }
  send(state, message);
  say(state,
      fmt::format("joined: {} slots on {}, protocol {}, {} of {} jobs "
                  "in hand adopted",
                  state.in.hello.slots, state.in.hello.host, message.protocol,
                  message.adopted.size(), state.in.hello.held.size()));
}

void carry_out(self_ptr self, const lease_order& order) {
  auto& state = state_of(self);
  lease_grant grant;
  grant.session = state.in.session;
  grant.key = order.key;
  grant.setup = order.setup;
  grant.work = wire::encode(*order.work);
  grant.time_limit_ms =
      static_cast<std::uint64_t>(state.in.options.job_limit.count());
  auto frame = std::make_shared<const std::string>(wire::frame(grant));
  if (frame->size() > wire::max_frame_bytes) // the worker would hang up
    return report(
        self, lease_result{order.key, nullptr,
                           fmt::format("the job has {} bytes, more than "
                                       "the {} a message may have",
                                       frame->size(), wire::max_frame_bytes)});
  state.link->offer(order.key, frame, state.in.now());
  if (state.in.on_lease) state.in.on_lease(state.in.hello.worker, order);
  state.in.send(std::move(frame));
}

void carry_out(self_ptr self, const result_settled& order) {
  auto& state = state_of(self);
  state.link->end(order.key);
  send(state, result_ack{state.in.session, order.key, order.verdict});
}

void carry_out(self_ptr self, const lease_ended& order) {
  auto& state = state_of(self);
  state.link->end(order.key);
  send(state, lease_cancel{state.in.session, order.key});
}

void carry_out(self_ptr self, const drain_worker& order) {
  auto& state = state_of(self);
  send(state, drain_order{state.in.session, order.reason});
}

// -- from the worker ---------------------------------------------------------

void on(self_ptr self, const worker_heartbeat& message) {
  auto& state = state_of(self);
  auto outcome = state.link->on(message, state.in.now());
  if (message.draining) report(self, worker_drains{});
  if (!outcome.lost.empty())
    report(self, leases_returned{std::move(outcome.lost)});
  if (outcome.reply) send(state, *outcome.reply);
}

void on(self_ptr self, result_report& message) {
  auto& state = state_of(self);
  if (!state.link->delivered(message.key)) return;
  lease_result result{message.key, nullptr, shown(message.error)};
  if (result.error.empty()) {
    auto answer = wire::decode<job_result>(message.result);
    if (answer && answer->id == message.key.job)
      result.result = std::make_shared<job_result>(std::move(*answer));
    else
      result.error =
          answer ? "its result is of another job" : answer.error().message;
  }
  if (!result.error.empty())
    say(state,
        fmt::format("failed job {}: {}", message.key.job.value, result.error));
  report(self, std::move(result));
}

/// A request of one frame can name one document a quarter of a million times.
/// Each is sent once, and no more than a frame's worth: the worker asks again
/// for what did not come.
void on(self_ptr self, const blob_request& message) {
  auto& state = state_of(self);
  constexpr std::size_t most_hashes = 1024;
  std::size_t bytes = 0;
  std::set<std::string_view> sent;
  for (const auto& hash : message.hashes) {
    if (sent.size() >= most_hashes || bytes >= wire::max_frame_bytes) return;
    if (!sent.insert(hash).second) continue;
    auto found = state.in.blobs(hash);
    blob_content answer{hash, !found.empty(), {}};
    if (answer.found) answer.content = std::move(found.front());
    bytes += hash.size() + answer.content.size();
    send(state, answer);
  }
}

model_reply reply_to(const model_ask& message) {
  model_reply out;
  out.session = message.session;
  out.search = message.search;
  out.job = message.job;
  out.number = message.number;
  return out;
}

/// A grade is a job like any other: done once for equal answers, by whoever has
/// the goldens, and in the log before it is handed out. What was asked is asked
/// again by the worker if this proxy ends before.
void grade(self_ptr self, const model_ask& message) {
  auto& state = state_of(self);
  auto reply = reply_to(message);
  auto work = wire::decode<grade_job>(message.call);
  const auto where =
      state.in.grades ? state.in.grades(message.search) : grading{};
  if (!work || !where.ledger) {
    reply.code = work ? ec::invalid_argument : work.error().code;
    reply.error = work ? "this run has nothing to compare answers with"
                       : work.error().message;
    return send(state, reply);
  }
  const open_asks::place place{message.search, message.job, message.number};
  const auto asks = state.asks;
  {
    const std::lock_guard lock{asks->mutex};
    if (!asks->places.insert(place).second) return;
  }
  const auto done = [self, asks, place](const model_reply& made) {
    {
      const std::lock_guard lock{asks->mutex};
      asks->places.erase(place);
    }
    send(state_of(self), made);
  };
  work->goldens = where.goldens;
  work->id = identity(*work);
  ask(self, where.ledger, caf::infinite, atom::submit_v,
      make_job(std::move(*work)))
      .then(
          [done, reply](const job_result& answer) mutable {
            if (answer.grade.size() == 1) {
              reply.answer = wire::encode(answer.grade.front());
            } else {
              reply.code = ec::environment;
              reply.error = shown("not graded: " + answer.error);
            }
            done(reply);
          },
          [done, reply](const caf::error& err) mutable {
            const auto why = from_caf(err);
            reply.code = why.code;
            reply.error = why.message;
            done(reply);
          });
}

/// The reply may come from any thread, long after, when this proxy is gone.
void on(self_ptr self, const model_ask& message) {
  if (message.number == grade_number) return grade(self, message);
  auto& state = state_of(self);
  auto reply = reply_to(message);
  const auto call = wire::decode<model_call>(message.call);
  if (!state.in.models || !call
      || call->chat.size() + call->embedding.size() != 1
      || call->job != message.job || call->number != message.number) {
    reply.code = call ? ec::invalid_argument : call.error().code;
    reply.error = call ? "no such call can be made here" : call.error().message;
    return send(state, reply);
  }
  const open_asks::place place{message.search, message.job, message.number};
  {
    const std::lock_guard lock{state.asks->mutex};
    if (!state.asks->places.insert(place).second) return;
  }
  state.in.models(
      message.search, *call,
      [reply, place, asks = state.asks,
       out = state.in.send](const result<model_answer>& answer) mutable {
        {
          const std::lock_guard lock{asks->mutex};
          asks->places.erase(place);
        }
        if (answer) {
          reply.answer = wire::encode(*answer);
        } else {
          reply.code = answer.error().code;
          reply.error = answer.error().message;
        }
        out(std::make_shared<const std::string>(wire::frame(reply)));
      });
}

void on(self_ptr self, const worker_goodbye& message) {
  report(self, leases_returned{message.handed_back});
  leave(self, job_table::departure::left, "left: " + message.reason);
}

template <class Other>
void on(self_ptr self, const Other&) {
  say(state_of(self), fmt::format("sent a {}, which is not for a coordinator",
                                  Other::type_name));
}

void receive(self_ptr self, const std::string& frame) {
  auto& state = state_of(self);
  auto message = wire::unframe(frame);
  if (!message)
    return say(state, "sent something unreadable: " + message.error().message);
  const auto session = wire::session_of(*message);
  if (!state.joined) return; // it does not know its session yet either
  if (session != state.in.session)
    return send(state, peer_refusal{session, "unknown session", true});
  state.link->heard(state.in.now());
  std::visit([&](auto& one) { on(self, one); }, *message);
}

void check(self_ptr self) {
  auto& state = state_of(self);
  const auto now = state.in.now();
  using health = worker_link::health;
  switch (state.link->check(now)) {
  case health::gone:
    return leave(self, job_table::departure::lost,
                 "is gone: its connection broke and it did not come back");
  case health::expired:
    return leave(self, job_table::departure::expired,
                 fmt::format("is silent for {} s: paused or cut off; its jobs "
                             "go to others",
                             static_cast<double>(state.in.options.lease.count())
                                 / 1000));
  case health::alive:
    break;
  }
  for (auto& again : state.link->tick(now))
    state.in.send(std::move(again));
}

} // namespace

remote_worker_actor::behavior_type
remote_worker(self_ptr self, std::shared_ptr<remote_worker_inputs> inputs) {
  auto& state = state_of(self);
  state.in = std::move(*inputs);
  if (!state.in.now) state.in.now = steady_now;
  state.link = std::make_unique<worker_link>(state.in.options, state.in.session,
                                             state.in.now());
  joining_worker me{facts_of(state.in.hello), state.in.hello.held,
                    remote_worker_actor{self}};
  ask(self, state.in.pool, caf::infinite, std::move(me))
      .then([self](const joined_worker& joined) { welcome(self, joined); },
            [self](const caf::error& err) { self->quit(err); });
  tell_after(self, remote_worker_actor{self}, state.in.options.heartbeat,
             atom::tick_v);
  return {
      [self](const to_worker& message) -> caf::result<void> {
        std::visit([&](const auto& what) { carry_out(self, what); },
                   message.what);
        return caf::unit;
      },
      [self](const arrived_message& message) -> caf::result<void> {
        receive(self, *message.frame);
        return caf::unit;
      },
      [self](atom::gone) -> caf::result<void> {
        auto& held = state_of(self);
        held.link->disconnected(held.in.now());
        tell_after(self, remote_worker_actor{self},
                   held.in.options.suspicion + std::chrono::milliseconds{1},
                   atom::submit_v);
        return caf::unit;
      },
      [self](atom::close) -> caf::result<void> {
        leave(self, job_table::departure::expired, "says hello anew");
        return caf::unit;
      },
      [self](atom::tick) -> caf::result<void> {
        check(self);
        tell_after(self, remote_worker_actor{self},
                   state_of(self).in.options.heartbeat, atom::tick_v);
        return caf::unit;
      },
      [self](atom::submit) -> caf::result<void> {
        check(self);
        return caf::unit;
      },
  };
}

} // namespace brewery

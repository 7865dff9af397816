#include "workers/remote_worker.hpp"

#include "cluster/job_spec.hpp"
#include "messages/wire/frame_batch.hpp"
#include "workers/steady_now.hpp"

#include <chrono>
#include <utility>

namespace brewery {

namespace {

using proxy_self = remote_worker_actor::stateful_pointer<remote_worker_state>;

void carry_out(proxy_self self, proxy_step step);

void send(remote_worker_state& state, const wire::message& message) {
  state.frames.push_back(
      std::make_shared<const std::string>(wire::frame(message)));
}

/// Sends what steps have gathered.
void flush(proxy_self self) {
  auto& state = state_of(self);
  auto frames = std::exchange(state.frames, {});
  if (state.core->takes_batches()) frames = wire::batched(std::move(frames));
  for (auto& frame : frames)
    state.in.send(std::move(frame));
  if (!state.reports.empty())
    tell(self, state.in.pool,
         from_worker{state.core->worker(), std::exchange(state.reports, {})});
  if (state.ended) self->quit();
}

/// Sends at most one frame's worth of contents at a time, so that they do not
/// fill the memory while a slow peer reads.
void send_contents(remote_worker_state& state,
                   const std::vector<std::string>& hashes) {
  std::size_t bytes = 0;
  for (const auto& hash : hashes) {
    if (bytes >= wire::max_frame_bytes) return;
    auto found = state.in.blobs(hash);
    blob_content answer{hash, found.has_value(), {}};
    if (found) answer.content = std::move(*found);
    bytes += hash.size() + answer.content.size();
    send(state, std::move(answer));
  }
}

/// The answer may arrive from any thread, long after this proxy has ended.
void ask_models(proxy_self self, const model_question& asked) {
  state_of(self).in.models(
      asked.place.run, asked.call,
      [proxy = remote_worker_actor{self},
       place = asked.place](result<model_answer> answer) {
        caf::anon_send(proxy, answered_question{place, std::move(answer)});
      });
}

void ask_grader(proxy_self self, grade_question& asked) {
  auto& state = state_of(self);
  const auto place = asked.place;
  const auto done = [self, place](const result<job_result>& answer) {
    carry_out(self, state_of(self).core->graded(place, answer));
  };
  const auto where = state.in.grades ? state.in.grades(place.run) : grading{};
  if (!where.ledger)
    return done(error{ec::invalid_argument,
                      "this run has nothing to compare answers with"});
  ask(self, where.ledger, caf::infinite, atom::submit_v,
      job_of(std::move(asked), where.goldens))
      .then([done](const job_result& answer) { done(answer); },
            [done](const caf::error& err) { done(from_caf(err)); });
}

/// What is to be sent waits for `flush`.
void gather(proxy_self self, proxy_step step) {
  auto& state = state_of(self);
  if (state.in.on_event)
    for (const auto& line : step.news)
      state.in.on_event(line);
  if (state.in.on_log)
    for (const auto& line : step.log)
      state.in.on_log(state.core->hello().worker, line);
  for (const auto& message : step.send)
    send(state, message);
  for (auto& frame : step.frames)
    state.frames.push_back(std::move(frame));
  for (auto& report : step.reports)
    state.reports.push_back(std::move(report));
  send_contents(state, step.contents);
  for (const auto& asked : step.models)
    ask_models(self, asked);
  for (auto& asked : step.grades)
    ask_grader(self, asked);
  state.ended = state.ended || step.ended;
}

void carry_out(proxy_self self, proxy_step step) {
  gather(self, std::move(step));
  flush(self);
}

void follow(proxy_self self, const worker_order& order) {
  auto& state = state_of(self);
  auto step = state.core->order(order, state.in.now());
  if (const auto* lease = std::get_if<lease_order>(&order);
      lease && !step.frames.empty() && state.in.on_lease)
    state.in.on_lease(state.core->hello().worker, *lease);
  gather(self, std::move(step));
}

void receive(proxy_self self, const std::string& bytes) {
  auto& state = state_of(self);
  const auto frames = wire::frames_in(bytes);
  if (!frames) return carry_out(self, state.core->unreadable(frames.error()));
  for (const auto frame : *frames) {
    if (state.ended) break;
    const auto message = wire::unframe(frame);
    gather(self, message ? state.core->receive(*message, state.in.now())
                         : state.core->unreadable(message.error()));
  }
  flush(self);
}

void check(proxy_self self) {
  auto& state = state_of(self);
  carry_out(self, state.core->check(state.in.now()));
}

void join(proxy_self self) {
  auto& state = state_of(self);
  state.watched.watch(self, state.in.pool,
                      [self](const caf::error& reason) { self->quit(reason); });
  const auto& hello = state.core->hello();
  ask(self, state.in.pool, caf::infinite,
      joining_worker{spec_of(hello), hello.jobs, remote_worker_actor{self},
                     state.core->session()})
      .then(
          [self](const joined_worker& joined) {
            auto& current = state_of(self);
            carry_out(self, current.core->joined(joined, current.in.now()));
          },
          [self](const caf::error& err) { self->quit(err); });
}

} // namespace

remote_worker_actor::behavior_type
remote_worker(proxy_self self, std::shared_ptr<remote_worker_inputs> inputs) {
  auto& state = state_of(self);
  state.in = std::move(*inputs);
  if (!state.in.now) state.in.now = steady_now;
  state.core = std::make_unique<worker_proxy>(
      worker_proxy::settings{
          state.in.options, std::move(state.in.hello), state.in.session,
          state.in.epoch, static_cast<bool>(state.in.models), state.in.cluster},
      state.in.now());
  join(self);
  tell_after(self, remote_worker_actor{self}, state.in.options.heartbeat,
             atom::tick_v);
  return {
      [self](const to_worker& message) -> caf::result<void> {
        for (const auto& order : message.orders)
          follow(self, order);
        flush(self);
        return caf::unit;
      },
      [self](const arrived_message& message) -> caf::result<void> {
        receive(self, *message.frame);
        return caf::unit;
      },
      [self](const answered_question& message) -> caf::result<void> {
        carry_out(self,
                  state_of(self).core->answered(message.place, message.answer));
        return caf::unit;
      },
      [self](atom::gone) -> caf::result<void> {
        auto& current = state_of(self);
        current.core->disconnected(current.in.now());
        tell_after(self, remote_worker_actor{self},
                   current.in.options.suspicion + std::chrono::milliseconds{1},
                   atom::check_v);
        return caf::unit;
      },
      [self](atom::close) -> caf::result<void> {
        carry_out(self, state_of(self).core->replaced());
        return caf::unit;
      },
      [self](atom::stop, const std::string& why) -> caf::result<void> {
        carry_out(self, state_of(self).core->dismissed(why));
        return caf::unit;
      },
      [self](atom::tick) -> caf::result<void> {
        check(self);
        tell_after(self, remote_worker_actor{self},
                   state_of(self).in.options.heartbeat, atom::tick_v);
        return caf::unit;
      },
      [self](atom::check) -> caf::result<void> {
        check(self);
        return caf::unit;
      },
  };
}

} // namespace brewery

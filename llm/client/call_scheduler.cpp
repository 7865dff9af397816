// The course of a call:
//
//   accept -> queue -> start_calls -> launch -> (a connection) -> settle -> end
//                ^                                                  |
//                +------------------------ pause <------------------+
//
// All steps run on the front loop, except the connection and the reading of the
// reply. These run on the loop that the ticket selects.

#include "llm/client/call_scheduler.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <ctime>
#include <future>
#include <random>

namespace brewery {

using std::chrono::milliseconds;

namespace {

std::uint64_t seed_of(const model_client_options& options) {
  if (options.seed != 0) return options.seed;
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

/// The verdict for the limiter. A server that does not answer in time is
/// overloaded, too.
call_limiter::verdict verdict_of(const attempt_result& what) {
  switch (what.outcome) {
  case attempt_outcome::answered:
    return call_limiter::verdict::good;
  case attempt_outcome::rate_limited:
  case attempt_outcome::overloaded:
    return call_limiter::verdict::congested;
  case attempt_outcome::maybe_processed:
    return what.why.code == ec::timeout ? call_limiter::verdict::congested
                                        : call_limiter::verdict::neither;
  default:
    return call_limiter::verdict::neither;
  }
}

token_usage sum_of(const token_usage& a, const token_usage& b) {
  return {a.prompt + b.prompt, a.cached + b.cached, a.completion + b.completion,
          a.reasoning + b.reasoning};
}

/// Returns when the loop has done the work, and all work posted before.
void run_on(event_loop& loop, const event_loop::task& work) {
  std::promise<void> done;
  loop.post([&] {
    work();
    done.set_value();
  });
  done.get_future().wait();
}

} // namespace

model_client::scheduler::scheduler(
    std::vector<std::shared_ptr<const http_endpoint>> endpoints,
    const model_client_options& options)
    : observer_(options.observer), jitter_(rng_key(seed_of(options), "retry")) {
  for (unsigned i = 0; i < std::max(1u, options.io_threads); ++i)
    loops_.push_back(std::make_unique<event_loop>());
  for (auto& endpoint : endpoints) {
    const auto& of = endpoint->server.options;
    server_queue made{
        endpoint, call_limiter{of.initial_concurrency, of.most_concurrency},
        {},       0,
        {},       stream_trial{of.supports_stream}};
    for (const auto& loop : loops_)
      made.clients.push_back(std::make_unique<http_client>(*loop, endpoint));
    made.counts.name = of.name;
    made.counts.limit = made.limiter.limit();
    published_.push_back(made.counts);
    servers_.push_back(std::move(made));
  }
}

model_client::scheduler::~scheduler() {
  BREWERY_ASSERT(!on_own_thread());
  run_on(*loops_.front(), [this] {
    closing_ = true;
    while (!calls_.empty())
      abandon(calls_.begin()->second);
  });
  // Abandoned calls post the closing of their connections. A loop that stops
  // before it would leave connections that hold each other.
  for (const auto& loop : loops_)
    run_on(*loop, [] {});
  for (const auto& loop : loops_)
    loop->stop();
}

result<std::size_t>
model_client::scheduler::find(const std::string& provider) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < servers_.size(); ++i) {
    if (server(i).options.name == provider) return i;
    names.push_back(server(i).options.name);
  }
  return error{ec::not_found,
               fmt::format("there is no model server '{}'; there is: {}",
                           provider, join(names, ", "))};
}

void model_client::scheduler::on_front(event_loop::task work) {
  if (is_here()) return work();
  loops_.front()->post(std::move(work));
}

void model_client::scheduler::enter(std::shared_ptr<pending_call> call) {
  on_front([this, call = std::move(call)] { accept(call); });
}

void model_client::scheduler::cancel(ticket call) {
  on_front([this, call] {
    if (const auto found = calls_.find(call); found != calls_.end())
      abandon(found->second);
  });
}

void model_client::scheduler::stop_retries(const std::string& owner) {
  on_front([this, owner] { end_waiting(owner, false); });
}

void model_client::scheduler::end_calls(const std::string& owner) {
  on_front([this, owner] { end_waiting(owner, true); });
}

void model_client::scheduler::end_waiting(const std::string& owner,
                                          bool also_out) {
  std::vector<std::shared_ptr<pending_call>> ending;
  for (const auto& [id, call] : calls_) {
    if (call->options.owner != owner) continue;
    call->last_try = true;
    const bool out = call->at == pending_call::place::out;
    if (!out)
      servers_[call->server].limiter.withdraw(id); // so that none starts now
    if (!out || also_out) ending.push_back(call);
  }
  for (const auto& call : ending)
    abandon(call);
}

// -- the course of a call ----------------------------------------------------

void model_client::scheduler::accept(std::shared_ptr<pending_call> call) {
  if (closing_)
    return end(call, error{ec::cancelled, "the model client is closing"});
  auto& accepted = *call;
  calls_.emplace(call->ticket, std::move(call));
  queue(accepted);
}

void model_client::scheduler::queue(pending_call& call) {
  call.at = pending_call::place::queued;
  call.since = event_loop::now();
  servers_[call.server].limiter.wait(call.options.owner, call.ticket,
                                     call.report.attempts > 0);
  tell(call, event_of(call, call_stage::queued));
  start_calls(call.server);
}

void model_client::scheduler::start_calls(std::size_t index) {
  if (closing_) return;
  auto& server = servers_[index];
  const auto now = event_loop::now();
  for (const auto id : server.limiter.start(now))
    launch(*calls_.at(id));
  const auto until = server.limiter.paused_until(now);
  if (until > now && server.wake_up == 0)
    server.wake_up = loops_.front()->after(until - now, [this, index] {
      servers_[index].wake_up = 0;
      start_calls(index);
    });
  publish(index);
}

void model_client::scheduler::launch(pending_call& call) {
  const auto now = event_loop::now();
  call.report.queued += now - call.since;
  call.at = pending_call::place::out;
  call.since = now;
  ++call.report.attempts;
  ++servers_[call.server].counts.attempts;
  tell(call, event_of(call, call_stage::started));
  auto& loop = *loops_[loop_of(call.ticket)];
  auto& client = *servers_[call.server].clients[loop_of(call.ticket)];
  const auto mode = call.embedding ? stream_mode::off
                                   : servers_[call.server].streams.next(
                                       call.ticket, call.history.retries > 0);
  auto stream =
      mode == stream_mode::off ? nullptr : std::make_shared<chat_stream>();
  auto send = [this, &client, id = call.ticket,
               http = request_of(call, stream, mode), stream,
               embedding = call.embedding, &of = server(call.server)] {
    client.send(
        id, http, [this, id, embedding, stream, &of](http_outcome outcome) {
          auto judged = classify_attempt(of, std::move(outcome),
                                         {embedding.get(), stream.get()},
                                         std::time(nullptr));
          on_front([this, id, judged = std::move(judged)]() mutable {
            settle(id, std::move(judged));
          });
        });
  };
  if (loop.is_here())
    send();
  else
    loop.post(std::move(send));
}

http_call
model_client::scheduler::request_of(const pending_call& call,
                                    const std::shared_ptr<chat_stream>& stream,
                                    stream_mode mode) const {
  if (!stream) return {call.target, call.body, call.fresh, nullptr};
  return {call.target,
          std::make_shared<const std::string>(with_stream(*call.body, mode)),
          call.fresh, stream};
}

/// Handles the end of an attempt. Ignores a call that was cancelled meanwhile.
void model_client::scheduler::settle(ticket id, call_attempt what) {
  const auto found = calls_.find(id);
  if (found == calls_.end()) return;
  const auto call = found->second;
  auto& server = servers_[call->server];
  const auto took = event_loop::now() - call->since;
  call->report.asked += took;
  call->report.bytes_sent += what.bytes_sent;
  call->report.bytes_received += what.bytes_received;
  call->report.maybe_charged += what.charged;
  call->report.refused = sum_of(call->report.refused, what.refused);
  call->counted += what.refused != token_usage{};
  call->report.rate_limited +=
      what.result.outcome == attempt_outcome::rate_limited;
  server.counts.maybe_charged += what.charged;
  learn(server, id, what.result);
  note(server, *call, what.result);
  auto event = event_of(*call, call_stage::ended);
  event.result = what.result;
  event.took = took;
  event.maybe_charged = what.charged;
  event.note = server.streams.learn(id, what.stream);
  tell(*call, event);
  const auto& policy = server.endpoint->server.options.retry;
  const auto next =
      decide(policy, what.result, call->history, jitter_.uniform());
  if (!next.again) {
    if (what.result.outcome == attempt_outcome::answered) {
      // The counts of an answered call are those of its answer.
      call->report.maybe_charged += call->counted;
      server.counts.maybe_charged += call->counted;
      call->report.refused = {};
      return end(call, std::move(what.answer));
    }
    call->report.given_up = next.because;
    return end(call, next.final);
  }
  if (call->last_try)
    return end(call, error{ec::cancelled, what.result.why.message});
  const bool paid = what.charged || what.refused != token_usage{};
  if (paid && call->options.pays_again && !call->options.pays_again()) {
    call->report.unpaid = true;
    return end(call, what.result.why);
  }
  // Without a reply, the connections that are kept may be as dead as this one.
  call->fresh = what.result.status == 0;
  call->history.retries +=
      what.result.outcome != attempt_outcome::stale
      && what.result.outcome != attempt_outcome::stream_refused;
  call->history.paid_retries += may_be_charged(what.result.outcome);
  pause(call, next.wait);
}

/// What tells a call that nobody can answer from a server that answers nobody.
void model_client::scheduler::note(server_queue& server, pending_call& call,
                                   const attempt_result& what) {
  auto& answers_since = server.answers_since[call.model];
  if (what.outcome == attempt_outcome::answered) {
    answers_since = std::max(answers_since, call.since);
    return;
  }
  if (what.outcome == attempt_outcome::stream_refused) return;
  if (!call.first_failure) call.first_failure = event_loop::now();
  call.report.last = what.why;
  call.report.fault = fault_of(what, answers_since >= *call.first_failure);
}

void model_client::scheduler::learn(server_queue& server, ticket call,
                                    const attempt_result& what) {
  server.counts.answered += what.outcome == attempt_outcome::answered;
  server.counts.rate_limited += what.outcome == attempt_outcome::rate_limited;
  const auto verdict = verdict_of(what);
  server.limiter.finish(call, verdict);
  // A pause that one call receives applies to all calls, up to longest_wait. A
  // server that asks for an hour may mean only this model or request.
  if (verdict == call_limiter::verdict::congested && what.retry_after)
    server.limiter.pause_until(
        event_loop::now()
        + std::min(*what.retry_after,
                   server.endpoint->server.options.retry.longest_wait));
}

void model_client::scheduler::pause(const std::shared_ptr<pending_call>& call,
                                    milliseconds wait) {
  const auto index = call->server;
  if (wait.count() <= 0) return queue(*call);
  call->at = pending_call::place::pausing;
  call->since = event_loop::now();
  ++servers_[index].counts.pausing;
  call->timer = loops_.front()->after(wait, [this, call] {
    call->timer = 0;
    call->report.paused += event_loop::now() - call->since;
    --servers_[call->server].counts.pausing;
    queue(*call);
  });
  auto event = event_of(*call, call_stage::pausing);
  event.wait = wait;
  tell(*call, event);
  start_calls(index);
}

void model_client::scheduler::end(std::shared_ptr<pending_call> call,
                                  result<model_answer> answer) {
  calls_.erase(call->ticket);
  if (!answer && answer.error().code == ec::cancelled)
    call->report.fault = call_fault::call;
  tell(*call, event_of(*call, call_stage::finished));
  start_calls(call->server);
  call->done(std::move(answer), call->report);
}

/// Cancels a call in any state. By value, because its entry in the map is
/// erased.
void model_client::scheduler::abandon(std::shared_ptr<pending_call> call) {
  auto& server = servers_[call->server];
  const auto spent = event_loop::now() - call->since;
  server.limiter.withdraw(call->ticket);
  server.streams.forget(call->ticket);
  switch (call->at) {
  case pending_call::place::queued:
    call->report.queued += spent;
    break;
  case pending_call::place::pausing:
    call->report.paused += spent;
    --server.counts.pausing;
    loops_.front()->forget(call->timer);
    break;
  case pending_call::place::out: {
    call->report.asked += spent;
    // The request may have been sent already.
    ++call->report.maybe_charged;
    ++server.counts.maybe_charged;
    auto& client = *server.clients[loop_of(call->ticket)];
    loops_[loop_of(call->ticket)]->post(
        [&client, id = call->ticket] { client.cancel(id); });
    break;
  }
  }
  end(call, error{ec::cancelled,
                  fmt::format("model server '{}': the call was cancelled",
                              server.counts.name)});
}

// -- events ------------------------------------------------------------------

call_event model_client::scheduler::event_of(const pending_call& call,
                                             call_stage stage) const {
  return {stage,
          call.ticket,
          servers_[call.server].counts.name,
          call.options.owner,
          call.report.attempts,
          {},
          milliseconds{0},
          milliseconds{0},
          false,
          call.report,
          {}};
}

void model_client::scheduler::tell(const pending_call& call,
                                   call_event event) const {
  if (observer_) observer_(event);
  if (call.options.observer) call.options.observer(event);
}

void model_client::scheduler::publish(std::size_t index) {
  auto& server = servers_[index];
  server.counts.limit = server.limiter.limit();
  server.counts.out = server.limiter.out();
  server.counts.queued = server.limiter.waiting();
  const std::lock_guard lock{published_mutex_};
  published_[index] = server.counts;
}

std::vector<provider_status> model_client::scheduler::status() const {
  const std::lock_guard lock{published_mutex_};
  return published_;
}

} // namespace brewery

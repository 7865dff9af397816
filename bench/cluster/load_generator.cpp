#include "bench/cluster/load_generator.hpp"

#include "bench/cluster/process.hpp"

#include <fmt/format.h>

#include <future>

namespace brewery::bench {

namespace {

using load_generator_actor = interface<caf::result<void>(atom::tick)>;

struct load_generator_state {
  static inline const char* name = "load_generator";
  std::uint64_t asked = 0, answered = 0;
  feed in;
  std::promise<std::string> done; ///< the failure; empty: none
  bench_clock::time_point began;
};

using self_ptr = load_generator_actor::stateful_pointer<load_generator_state>;

void ask_next(self_ptr self);

void on_answer(self_ptr self, const job_id& id) {
  auto& state = state_of(self);
  if (!state.in.ledger)
    tell(self, state.in.pool, atom::journalled_v, state.in.run, id);
  ++state.answered;
  if (state.in.on_answer) state.in.on_answer(state.answered);
  if (state.answered == state.in.jobs) {
    state.done.set_value({});
    self->quit();
  } else if (state.in.window > 0) {
    ask_next(self);
  }
}

void ask_next(self_ptr self) {
  auto& state = state_of(self);
  if (state.asked == state.in.jobs) return;
  const auto number = state.in.first + state.asked++;
  auto work = noop_job(number);
  const auto answered = [self, id = work.id] { on_answer(self, id); };
  const auto failed = [self](const caf::error& err) {
    state_of(self).done.set_value(from_caf(err).message);
    self->quit();
  };
  if (state.in.on_ask) state.in.on_ask(number);
  if (state.in.ledger)
    ask(self, state.in.ledger, caf::infinite, atom::submit_v, std::move(work))
        .then([answered](const job_result&) { answered(); }, failed);
  else
    ask(self, state.in.pool, caf::infinite, atom::run_v, state.in.run,
        std::move(work))
        .then([answered](const packed_result&) { answered(); }, failed);
}

/// An open loop: submits what is due, however slow the answers are.
void ask_due(self_ptr self) {
  auto& state = state_of(self);
  const auto due = static_cast<std::uint64_t>((bench_clock::now() - state.began)
                                              / state.in.every);
  while (state.asked < std::min(due + 1, state.in.jobs))
    ask_next(self);
}

load_generator_actor::behavior_type
load_generator(self_ptr self, std::shared_ptr<feed> in,
               std::promise<std::string>* done) {
  auto& state = state_of(self);
  state.in = std::move(*in);
  state.done = std::move(*done);
  state.began = bench_clock::now();
  return {[self](atom::tick) -> caf::result<void> {
    auto& current = state_of(self);
    if (current.in.window > 0)
      for (std::uint64_t i = 0; i < current.in.window; ++i)
        ask_next(self);
    else
      ask_due(self);
    return caf::unit;
  }};
}

} // namespace

job noop_job(std::uint64_t number) {
  embed_job work;
  work.id.value = fmt::format("{:032x}", number);
  return make_job(std::move(work));
}

std::uint64_t number_of(const job_id& id) {
  return std::stoull(id.value.substr(16), nullptr, 16);
}

void run_feed(caf::actor_system& system, feed what) {
  const bool open_loop = what.window == 0;
  std::promise<std::string> done;
  auto ended = done.get_future();
  caf::scoped_actor self{system};
  auto in = std::make_shared<feed>(std::move(what));
  const auto asks = system.spawn(load_generator, in, &done);
  tell(self, asks, atom::tick_v);
  // This thread keeps the time, because actors' timers have milliseconds.
  while (ended.wait_for(std::chrono::microseconds{open_loop ? 50 : 10'000})
         != std::future_status::ready)
    if (open_loop) tell(self, asks, atom::tick_v);
  if (const auto failed = ended.get(); !failed.empty()) stop(failed);
}

} // namespace brewery::bench

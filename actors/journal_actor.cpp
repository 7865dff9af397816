#include "actors/journal_actor.hpp"

#include <chrono>
#include <iterator>
#include <utility>

namespace brewery {

namespace {

/// A larger transaction would only delay the answers.
constexpr std::size_t max_events = 256;
constexpr std::chrono::seconds retry_every{1};

using journal_self = journal_actor::stateful_pointer<journal_state>;

bool may_pass(const error& problem) {
  return problem.code == ec::disk_full || problem.code == ec::io;
}

void commit(journal_self self) {
  auto& state = state_of(self);
  if (state.rows.empty()) return;
  const auto began = std::chrono::steady_clock::now();
  const auto written = state.in.log->append(state.rows);
  const std::chrono::duration<double> spent =
      std::chrono::steady_clock::now() - began;
  if (!written && state.waits_for_disk && may_pass(written.error())) {
    const auto why = written.error().code;
    if (std::exchange(state.stuck, why) != why)
      state.in.on_stuck(&written.error());
    return tell_after(self, journal_actor{self}, retry_every, atom::flush_v);
  }
  if (state.stuck && written) {
    state.in.on_stuck(nullptr);
    state.stuck.reset();
  }
  if (state.in.on_commit) state.in.on_commit(state.rows.size(), spent.count());
  auto next = state.in.log->last_seq() + 1 - (written ? state.rows.size() : 0);
  state.rows.clear();
  for (auto& batch : std::exchange(state.waiting, {})) {
    if (written)
      batch.answer.deliver(std::exchange(next, next + batch.events));
    else
      batch.answer.deliver(to_caf(written.error()));
  }
}

} // namespace

journal_actor::behavior_type journal(journal_self self, journal_inputs inputs) {
  state_of(self).in = std::move(inputs);
  state_of(self).waits_for_disk = static_cast<bool>(state_of(self).in.on_stuck);
  return {
      [self](atom::append, journal_batch& batch) -> caf::result<std::uint64_t> {
        auto& current = state_of(self);
        auto promise = self->make_response_promise<std::uint64_t>();
        const bool first = current.waiting.empty();
        current.waiting.push_back({promise, batch.events.size()});
        std::move(batch.events.begin(), batch.events.end(),
                  std::back_inserter(current.rows));
        // The flush queues behind the batches that are already waiting.
        if (first) tell(self, journal_actor{self}, atom::flush_v);
        if (current.rows.size() >= max_events && !current.stuck) commit(self);
        return promise;
      },
      [self](atom::recall, std::uint64_t seq) -> caf::result<std::string> {
        auto row = state_of(self).in.log->read(seq);
        if (!row) return to_caf(row.error());
        return std::move(row->payload);
      },
      [self](atom::stop) -> caf::result<void> {
        state_of(self).waits_for_disk = false;
        commit(self);
        return caf::unit;
      },
      [self](atom::flush) -> caf::result<void> {
        commit(self);
        return caf::unit;
      },
  };
}

journal_actor::behavior_type forgetful_journal(journal_actor::pointer) {
  return {
      [](atom::append, const journal_batch&) -> caf::result<std::uint64_t> {
        return 0;
      },
      [](atom::recall, std::uint64_t) -> caf::result<std::string> {
        return to_caf({ec::internal, "nothing was written"});
      },
      [](atom::stop) -> caf::result<void> { return caf::unit; },
      [](atom::flush) -> caf::result<void> { return caf::unit; },
  };
}

} // namespace brewery

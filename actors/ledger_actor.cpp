#include "actors/ledger_actor.hpp"

#include "actors/job_log.hpp"
#include "cluster/answer.hpp"
#include "cluster/facts.hpp"
#include "messages/wire/codec.hpp"

namespace brewery {

namespace {

using self_ptr = ledger_actor::stateful_pointer<ledger_state>;

void check_drained(ledger_state& state) {
  if (state.memo.under_way() > 0) return;
  for (auto& promise : state.drains)
    promise.deliver(true);
  state.drains.clear();
}

void give_up(self_ptr self, const job_id& id, const caf::error& reason) {
  auto& state = state_of(self);
  for (auto& promise : state.memo.failed(id))
    promise.deliver(reason);
  check_drained(state);
}

/// A promise that the dead one held is never kept: requests to it stay open.
void lost(self_ptr self, const std::string& who, const caf::error& reason) {
  auto& state = state_of(self);
  const auto told = to_caf(
      {ec::internal, who + " ended unexpectedly: " + from_caf(reason).message});
  for (auto& promise : state.memo.all_failed())
    promise.deliver(told);
  check_drained(state);
}

void count(ledger_state& state, const job_result& answer) {
  if (state.on_result) state.on_result(answer);
  state.board->update([&](progress_view& view) {
    for (const auto& rollout : answer.rollout) {
      ++view.rollouts_run;
      if (rollout.outcome == rollout_outcome::graded) {
        ++view.rollouts_graded;
        view.reward_sum += rollout.grade.reward;
      } else {
        ++view.environment_errors;
      }
    }
  });
  for (const auto& rollout : answer.rollout)
    state.board->add_work(std::chrono::microseconds{rollout.duration_us});
}

/// The worker may forget the result.
void settle(self_ptr self, const job_id& id) {
  auto& state = state_of(self);
  tell(self, state.pool, atom::kept_v, state.search, id);
}

/// Journal first, then hand out. A result that is known, or on its way to the
/// journal, is not counted again.
void keep(self_ptr self, job_result answer) {
  auto& state = state_of(self);
  const auto id = answer.id;
  if (state.memo.knows(id)) return settle(self, id);
  if (!state.journalling.insert(id).second) return;
  auto payload = wire::encode(answer);
  count(state, answer);
  auto slim = without_trajectory(std::move(answer));
  const auto kind =
      given_up_because(slim).empty() ? job_result::type_name : verdict_event;
  ask(self, state.journal, caf::infinite, atom::append_v, std::string{kind},
      id.value, std::move(payload))
      .then(
          [self, slim](std::uint64_t seq) {
            auto& held = state_of(self);
            held.journalling.erase(slim.id);
            settle(self, slim.id);
            auto waiters = held.memo.journalled(slim, seq);
            held.board->update([&](progress_view& view) {
              view.jobs_answered += waiters.size();
            });
            for (auto& promise : waiters)
              promise.deliver(slim);
            check_drained(held);
          },
          [self, id](const caf::error& err) {
            state_of(self).journalling.erase(id);
            give_up(self, id, err);
          });
}

void dispatch(self_ptr self, job& work) {
  const auto id = work.id;
  ask(self, state_of(self).pool, caf::infinite, atom::run_v,
      state_of(self).search, std::move(work))
      .then([self](job_result& answer) { keep(self, std::move(answer)); },
            [self, id](const caf::error& err) { give_up(self, id, err); });
}

/// What the log has under a job's id is not taken on trust.
void hand_out(ledger_state::promise& promise, const job_result& known,
              const job& work) {
  if (answers(known, work))
    promise.deliver(known);
  else
    promise.deliver(
        to_caf({ec::corrupt, "the log has something else under job "
                                 + work.id.value + " than its result"}));
}

/// From the log, which may be large: read when it is asked for.
void recall(self_ptr self, job work, ledger_state::promise promise) {
  auto& state = state_of(self);
  const auto seq = state.memo.event_of(work.id);
  ask(self, state.journal, caf::infinite, atom::recall_v, seq)
      .then(
          [self, seq, work = std::move(work),
           promise](const std::string& payload) mutable {
            auto answer = wire::decode<job_result>(payload);
            if (!answer) {
              promise.deliver(to_caf(
                  {ec::corrupt, "event " + std::to_string(seq) + " of the log: "
                                    + answer.error().message}));
              return;
            }
            const auto slim = without_trajectory(std::move(*answer));
            if (const auto& told = state_of(self).on_recalled) told(slim);
            hand_out(promise, slim, work);
          },
          [promise](caf::error& err) mutable { promise.deliver(err); });
}

caf::result<job_result> submit(self_ptr self, job& work) {
  auto& state = state_of(self);
  using memo = job_memo<ledger_state::promise>;
  auto promise = self->make_response_promise<job_result>();
  state.board->update([](progress_view& view) { ++view.jobs_submitted; });
  const auto outcome = state.memo.submit(work.id, promise);
  const bool at_hand = outcome == memo::submission::answered;
  if (at_hand || outcome == memo::submission::logged) {
    state.board->update([](progress_view& view) {
      ++view.jobs_answered;
      ++view.jobs_from_log;
    });
    if (at_hand)
      hand_out(promise, state.memo.result_of(work.id), work);
    else
      recall(self, std::move(work), promise);
  } else if (outcome == memo::submission::fresh) {
    if (state.stopped)
      give_up(self, work.id,
              to_caf({ec::cancelled, "the run was told to stop"}));
    else
      dispatch(self, work);
  }
  return promise;
}

caf::result<bool> record(self_ptr self, std::string& kind, std::string& key,
                         std::string& payload) {
  auto& state = state_of(self);
  using memo = job_memo<ledger_state::promise>;
  switch (state.memo.decide(kind + "/" + key, payload)) {
  case memo::decision::same:
    return true;
  case memo::decision::different:
    return to_caf({ec::corrupt,
                   "the log says otherwise about " + kind + " " + key
                       + ": it was written with other data, configuration or "
                         "program; resume with what the run began with"});
  case memo::decision::fresh:
    break;
  }
  auto promise = self->make_response_promise<bool>();
  ask(self, state.journal, caf::infinite, atom::append_v, std::move(kind),
      std::move(key), std::move(payload))
      .then([promise](std::uint64_t) mutable { promise.deliver(true); },
            [promise](caf::error& err) mutable { promise.deliver(err); });
  return promise;
}

} // namespace

ledger_actor::behavior_type ledger(self_ptr self,
                                   std::shared_ptr<ledger_inputs> inputs) {
  auto& state = state_of(self);
  state.memo = job_memo<ledger_state::promise>{std::move(inputs->known)};
  state.search = inputs->search;
  state.pool = inputs->pool;
  state.journal = inputs->journal;
  state.board = inputs->board;
  state.on_result = std::move(inputs->on_result);
  state.on_recalled = std::move(inputs->on_recalled);
  state.watched.watch(self, state.pool, [self](const caf::error& reason) {
    lost(self, "the pool of workers", reason);
  });
  state.watched.watch(self, state.journal, [self](const caf::error& reason) {
    lost(self, "the journal", reason);
  });
  return {
      [self](atom::submit, job& work) { return submit(self, work); },
      [self](atom::offer, job_result& answer) -> caf::result<void> {
        keep(self, std::move(answer));
        return caf::unit;
      },
      [self](atom::record, std::string& kind, std::string& key,
             std::string& payload) { return record(self, kind, key, payload); },
      [self](atom::stop) -> caf::result<void> {
        auto& held = state_of(self);
        held.stopped = true;
        tell(self, held.pool, atom::stop_v, held.search);
        return caf::unit;
      },
      [self](atom::drain) -> caf::result<bool> {
        auto& held = state_of(self);
        auto promise = self->make_response_promise<bool>();
        held.drains.push_back(promise);
        check_drained(held);
        return promise;
      },
  };
}

} // namespace brewery

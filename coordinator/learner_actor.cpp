#include "coordinator/learner_actor.hpp"

#include "messages/reused_from.hpp"
#include "process/realtime.hpp"

#include <utility>

namespace brewery {

namespace {

using player = learner_actor::stateful_pointer<learner_state>;

void carry_out(player self, learner_step step);
void carry_out_waiting(player self);

void fail(player self, const caf::error& reason) {
  auto& state = state_of(self);
  if (state.waiting) state.waiting->deliver(reason);
  state.waiting.reset();
}

void show_progress(learner_state& state) {
  if (!state.in.board) return;
  const auto now = state.in.machine->view();
  search_view view;
  view.search = state.in.name;
  view.phase = now.phase;
  view.iteration = now.round;
  view.iterations = now.rounds;
  state.in.board->show(view);
}

void answered(player self, const job_result& done) {
  auto& state = state_of(self);
  const ordinary_scheduling while_computing;
  if (state.waiting) carry_out(self, state.in.machine->on(done));
}

/// Adds the trajectory, which is with the rollout that was played.
void answered_whole(player self, job_result done) {
  const auto* rollout = std::get_if<rollout_result>(&done.output);
  if (!rollout || rollout->outcome != rollout_outcome::graded)
    return answered(self, done);
  const auto played = with_trajectory(done.id, rollout->reused_from);
  ask(self, state_of(self).in.ledger, caf::infinite, atom::recall_v, played)
      .then(
          [self, done = std::move(done)](job_result& whole) mutable {
            auto* from = std::get_if<rollout_result>(&whole.output);
            if (!from)
              return fail(self,
                          to_caf({ec::corrupt, "the log has no rollout under "
                                                   + whole.id.value}));
            auto& to = std::get<rollout_result>(done.output);
            to.steps = std::move(from->steps);
            to.retrievals = std::move(from->retrievals);
            answered(self, done);
          },
          [self](const caf::error& err) { fail(self, err); });
}

void submit(player self, wanted_job wanted) {
  ask(self, state_of(self).in.ledger, caf::infinite, atom::submit_v,
      std::move(wanted.work))
      .then(
          [self, whole = wanted.whole](job_result& done) {
            if (whole)
              answered_whole(self, std::move(done));
            else
              answered(self, done);
          },
          [self](const caf::error& err) { fail(self, err); });
}

void record(player self, learner_record one) {
  auto& state = state_of(self);
  ++state.recording;
  ask(self, state.in.ledger, caf::infinite, atom::record_v, std::move(one.kind),
      std::move(one.key), std::move(one.payload))
      .then(
          [self](bool) {
            --state_of(self).recording;
            carry_out_waiting(self);
          },
          [self](const caf::error& err) { fail(self, err); });
}

/// `waiting` is empty once the machine has failed or finished.
void carry_out_waiting(player self) {
  auto& state = state_of(self);
  while (state.waiting && state.recording == 0 && !state.steps.empty()) {
    auto& step = state.steps.front();
    if (step.failed) return fail(self, to_caf(*step.failed));
    if (!step.records.empty()) {
      // The rest of the step comes when they are on disk.
      for (auto& one : std::exchange(step.records, {}))
        record(self, std::move(one));
      break;
    }
    const auto now = std::move(step);
    state.steps.pop_front();
    for (const auto& wanted : now.jobs)
      submit(self, wanted);
    if (!now.finished) continue;
    state.waiting->deliver(true);
    state.waiting.reset();
  }
  show_progress(state);
}

void carry_out(player self, learner_step step) {
  state_of(self).steps.push_back(std::move(step));
  carry_out_waiting(self);
}

} // namespace

learner_actor::behavior_type play_learner(player self, learner_inputs inputs) {
  state_of(self).in = std::move(inputs);
  return {
      [self](atom::run) -> caf::result<bool> {
        auto& state = state_of(self);
        auto promise = self->make_response_promise<bool>();
        state.waiting = promise;
        const ordinary_scheduling while_computing;
        carry_out(self, state.in.machine->begin());
        return promise;
      },
  };
}

} // namespace brewery

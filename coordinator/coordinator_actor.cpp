#include "coordinator/coordinator_actor.hpp"

#include "actors/tree_actor.hpp"
#include "coordinator/recorded.hpp"
#include "messages/side_records.hpp"
#include "messages/wire/codec.hpp"
#include "process/realtime.hpp"
#include "search/report.hpp"

#include <fmt/format.h>

#include <utility>

namespace brewery {

namespace {

using self_ptr = coordinator_actor::stateful_pointer<coordinator_state>;

void carry_out(self_ptr self, phase_step step);
void carry_out_waiting(self_ptr self);

void fail(self_ptr self, const caf::error& reason) {
  auto& state = state_of(self);
  if (state.waiting) state.waiting->deliver(reason);
  state.waiting.reset();
}

void show_progress(coordinator_state& state) {
  const auto& phases = *state.phases;
  search_view now;
  now.search = state.in.strategy;
  now.phase = to_string(phases.phase());
  now.iteration = phases.iteration();
  now.iterations = state.in.settings->learner.iterations;
  now.trees = static_cast<std::uint32_t>(phases.concepts().size());
  if (phases.phase() == search_phase::expanding) {
    now.trees_reported = static_cast<std::uint32_t>(phases.reported());
    for (const auto tree : phases.missing())
      if (now.missing.size() < now.missing_max)
        now.missing.push_back(tree.value);
    if (now.trees_reported > 0) now.first_report = state.first_report;
  }
  now.reports_late = count_late(state.gathers);
  for (const auto& [tree, best] : state.gathered.best())
    if (best.evaluated > 0) now.best_rewards.push_back(best.reward);
  state.in.board->show(now);
}

void submit(self_ptr self, job& work) {
  ask(self, state_of(self).in.ledger, caf::infinite, atom::submit_v,
      std::move(work))
      .then(
          [self](const job_result& done) {
            const ordinary_scheduling while_computing;
            carry_out(self, state_of(self).phases->on(done));
          },
          [self](const caf::error& err) { fail(self, err); });
}

void spawn_tree(self_ptr self, std::shared_ptr<concept_search> search,
                bool recorded) {
  auto& state = state_of(self);
  const auto id = search->about().id;
  save_search save;
  if (state.in.saver)
    save = [saver = state.in.saver](concept_search& grown) {
      saver->save(grown);
    };
  state.trees.emplace(
      id, self->spawn<caf::linked>(
              tree_of_concept, std::move(search), state.in.ledger, save,
              tree_place{tree_prefix(state.in.strategy, id), recorded}));
}

void spawn_tree(self_ptr self, tree_seed& seed) {
  auto& state = state_of(self);
  spawn_tree(self,
             std::make_shared<concept_search>(
                 state.in.settings, std::move(seed.about), seed.root,
                 std::move(seed.evidence), state.in.documents),
             false);
}

/// Saves the search as the gather left it. A tree gets this before its next
/// order. With late trees nothing is saved: they are in the middle of their
/// work.
void save(self_ptr self, const gather_record& gathered) {
  auto& state = state_of(self);
  if (!state.in.saver || state.unsaved > 0 || !gathered.late.empty()) return;
  state.unsaved = state.trees.size();
  search_mark mark;
  mark.fingerprint = state.in.settings->fingerprint;
  mark.gathered = gathered;
  mark.dropped = state.phases->dropped();
  mark.initial_success = state.phases->initial_success();
  for (auto& [id, tree] : state.trees)
    ask(self, tree, caf::infinite, atom::flush_v)
        .then(
            [self, mark](bool) {
              auto& current = state_of(self);
              if (--current.unsaved == 0) current.in.saver->mark(mark);
            },
            [self](const caf::error& err) { fail(self, err); });
}

void order(self_ptr self, concept_id tree, const start_expand& message) {
  ask(self, state_of(self).trees.at(tree), caf::infinite, atom::expand_v,
      message)
      .then(
          [self](const expand_report& report) {
            const ordinary_scheduling while_computing;
            auto& current = state_of(self);
            if (current.first_report < current.iteration_began
                && report.iteration == current.phases->iteration())
              current.first_report = std::chrono::steady_clock::now();
            carry_out(self, current.phases->on(report));
          },
          [self](const caf::error& err) { fail(self, err); });
}

double slot_seconds(const coordinator_state& state,
                    std::chrono::steady_clock::time_point now) {
  return state.in.slot_seconds ? state.in.slot_seconds(now) : 0;
}

void expand(self_ptr self, const phase_step& step) {
  auto& state = state_of(self);
  state.iteration_began = std::chrono::steady_clock::now();
  state.slot_seconds_before = slot_seconds(state, state.iteration_began);
  state.in.board->take_work(state.in.strategy);
  for (const auto tree : step.ready)
    order(self, tree, *step.expand);
}

void measure_barrier(coordinator_state& state, const gather_record& gathered) {
  using seconds = std::chrono::duration<double>;
  const auto now = std::chrono::steady_clock::now();
  const auto work = state.in.board->take_work(state.in.strategy);
  barrier_sample sample;
  sample.elapsed_seconds = seconds(now - state.iteration_began).count();
  sample.wait_seconds = seconds(now - state.first_report).count();
  sample.work_seconds = seconds(work.sum).count();
  sample.longest_seconds = seconds(work.longest).count();
  if (sample.elapsed_seconds > 0)
    sample.slots = (slot_seconds(state, now) - state.slot_seconds_before)
                   / sample.elapsed_seconds;
  state.gathered.fold(gathered);
  if (state.in.on_barrier) state.in.on_barrier(sample, gathered);
}

/// Journals a decision; a resumed run is compared with it. Calls `then` when
/// the decision is on disk.
template <class T>
void put_on_record(
    self_ptr self, const T& decision, const std::string& key,
    std::function<void()> then = [] {}) {
  ask(self, state_of(self).in.ledger, caf::infinite, atom::record_v,
      std::string{T::type_name}, key, wire::encode(decision))
      .then([then = std::move(then)](bool) { then(); },
            [self](const caf::error& err) { fail(self, err); });
}

/// The search begins with its first rollouts, all at once.
void record_first_rollouts(self_ptr self, const std::vector<job>& jobs) {
  const auto& strategy = state_of(self).in.strategy;
  job_purpose first;
  first.what = purpose::first;
  first.name = strategy;
  for (const auto& work : jobs)
    if (std::holds_alternative<rollout_job>(work.input))
      first.jobs.push_back(work.id);
  if (!first.jobs.empty())
    put_on_record(self, purpose_record{{std::move(first)}},
                  strategy + "/first");
}

void record_concept(self_ptr self, const concept_record& formed) {
  put_on_record(self, formed,
                fmt::format("{}/concept {}", state_of(self).in.strategy,
                            formed.id.value));
}

void collect_outcomes(self_ptr self) {
  for (auto& [id, tree] : state_of(self).trees)
    ask(self, tree, caf::infinite, atom::outcome_v)
        .then(
            [self, id = id](document_outcome& outcome) {
              auto& state = state_of(self);
              state.outcomes.emplace(id, std::move(outcome));
              if (state.outcomes.size() < state.trees.size()) return;
              search_outcome out;
              out.strategy = state.in.strategy;
              out.initial_success = state.phases->initial_success();
              out.gathers = state.gathers;
              out.dropped = state.phases->dropped();
              for (auto& [concept_ref, document] : state.outcomes)
                out.documents.push_back(std::move(document));
              if (state.waiting) state.waiting->deliver(out);
              state.waiting.reset();
            },
            [self](const caf::error& err) { fail(self, err); });
}

void hold(self_ptr self) {
  fail(self,
       to_caf({ec::cancelled, fmt::format("held after iteration {}",
                                          *state_of(self).in.hold_after)}));
}

/// Carries out what follows a gather.
void go_on(self_ptr self, const phase_step& step) {
  if (const auto after = state_of(self).in.hold_after;
      after && step.gathered && step.gathered->iteration == *after)
    return hold(self);
  if (step.expand) expand(self, step);
  if (step.finished) collect_outcomes(self);
}

void close_barrier(self_ptr self, phase_step step) {
  auto& state = state_of(self);
  auto& record = *step.gathered;
  measure_barrier(state, record);
  state.gathers.push_back(record);
  state.recording = true;
  const auto key = gather_key(state.in.strategy, record.iteration);
  put_on_record(self, record, key, [self, step] {
    auto& current = state_of(self);
    current.recording = false;
    if (current.waiting) {
      save(self, *step.gathered);
      go_on(self, step);
    }
    carry_out_waiting(self);
  });
}

void carry_out_one(self_ptr self, phase_step step) {
  auto& state = state_of(self);
  if (step.failed) return fail(self, to_caf(*step.failed));
  record_first_rollouts(self, step.jobs);
  for (auto& work : step.jobs)
    submit(self, work);
  for (auto& seed : step.trees) {
    record_concept(self, seed.about.record);
    spawn_tree(self, seed);
  }
  for (const auto& one : step.dropped) {
    put_on_record(
        self, one,
        fmt::format("{}{}", dropped_prefix(state.in.strategy), one.id.value));
    if (state.in.on_dropped) state.in.on_dropped(one);
  }
  if (step.catch_up) order(self, step.late_tree, *step.catch_up);
  if (step.gathered)
    close_barrier(self, std::move(step));
  else
    go_on(self, step);
}

void carry_out_waiting(self_ptr self) {
  auto& state = state_of(self);
  // `waiting` is empty once the search has failed or is done.
  while (state.waiting && !state.recording && !state.steps.empty()) {
    auto step = std::move(state.steps.front());
    state.steps.pop_front();
    carry_out_one(self, std::move(step));
  }
  show_progress(state);
}

void carry_out(self_ptr self, phase_step step) {
  state_of(self).steps.push_back(std::move(step));
  carry_out_waiting(self);
}

/// From a snapshot, instead of from the start.
void continue_search(self_ptr self) {
  auto& state = state_of(self);
  const auto mark = *std::exchange(state.in.continue_after, std::nullopt);
  state.gathers = state.in.gathered;
  for (const auto& closed : state.gathers)
    state.gathered.fold(closed);
  for (auto& search : state.in.trees) {
    if (state.in.begins_alike) {
      const auto& about = search->about();
      record_concept(self, about);
      put_on_record(self, tree_record{about.id, 0, records_of(search->nodes())},
                    tree_prefix(state.in.strategy, about.id) + "0");
    }
    spawn_tree(self, std::move(search), true);
  }
  // It was stopped between the snapshot of its last barrier and the hold.
  if (state.in.hold_after && !state.in.begins_alike && !state.gathers.empty()
      && state.gathers.back().iteration >= *state.in.hold_after)
    return hold(self);
  auto step = state.phases->continue_after(mark);
  if (state.in.begins_alike) {
    step.dropped = mark.dropped;
    step.gathered = mark.gathered;
    const auto now = std::chrono::steady_clock::now();
    state.iteration_began = state.first_report = now;
    state.slot_seconds_before = slot_seconds(state, now);
  }
  carry_out(self, std::move(step));
}

} // namespace

coordinator_actor::behavior_type
coordinator(self_ptr self, std::shared_ptr<coordinator_inputs> inputs) {
  auto& state = state_of(self);
  state.in = std::move(*inputs);
  state.phases = std::make_unique<brew_phases>(
      state.in.settings, state.in.documents, std::move(state.in.recorded));
  return {
      [self](atom::run) -> caf::result<search_outcome> {
        auto& current = state_of(self);
        const ordinary_scheduling while_computing;
        auto promise = self->make_response_promise<search_outcome>();
        current.waiting = promise;
        if (current.in.continue_after)
          continue_search(self);
        else
          carry_out(self, current.phases->begin());
        return promise;
      },
  };
}

} // namespace brewery

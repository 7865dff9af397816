#include "actors/tree_actor.hpp"

#include "messages/side_records.hpp"
#include "messages/wire/codec.hpp"
#include "process/realtime.hpp"
#include "search/report.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>

namespace brewery {

namespace {

using tree_self = tree_actor::stateful_pointer<tree_state>;

void answer(tree_state& state, const expand_report& report) {
  if (state.waiting) state.waiting->deliver(report);
  state.waiting.reset();
}

void fail(tree_state& state, const caf::error& reason) {
  if (state.waiting) state.waiting->deliver(reason);
  state.waiting.reset();
}

void note_purpose(tree_state& state, const job& work) {
  const auto* rollout = std::get_if<rollout_job>(&work.input);
  if (!rollout) return;
  doc_hash candidate;
  for (const auto& ref : rollout->knowledge)
    if (ref.concept_ref == state.search->about().id) candidate = ref.hash;
  const auto what = rollout->reflect           ? purpose::learn
                    : state.search->confirms() ? purpose::confirm
                                               : purpose::score;
  state.asked[{candidate, what}].insert(work.id);
}

purpose_record take_purposes(tree_state& state, std::uint32_t iteration) {
  purpose_record out;
  const auto& key = state.place.key;
  for (const auto& [what, jobs] : std::exchange(state.asked, {}))
    out.purposes.push_back({std::string{what.second},
                            key.substr(0, key.find('/')),
                            state.search->about().id,
                            iteration,
                            what.first,
                            {jobs.begin(), jobs.end()}});
  return out;
}

/// Nobody waits for it. If it cannot be written, the next answer says so.
template <class Record>
void put_on_record(tree_self self, const Record& what,
                   std::uint32_t iteration) {
  auto& state = state_of(self);
  ask(self, state.ledger, caf::infinite, atom::record_v,
      std::string{Record::type_name},
      fmt::format("{}{}", state.place.key, iteration), wire::encode(what))
      .then([](bool) {},
            [self](const caf::error& err) {
              auto& current = state_of(self);
              current.unrecorded = err;
              fail(current, err);
            });
}

void record(tree_self self, std::uint32_t iteration) {
  auto& state = state_of(self);
  auto now = records_of(state.search->nodes());
  const tree_record change{state.search->about().id, iteration,
                           changed_since(state.recorded, now)};
  state.recorded = std::move(now);
  put_on_record(self, change, iteration);
  if (const auto asked = take_purposes(state, iteration);
      !asked.purposes.empty())
    put_on_record(self, asked, iteration);
}

void carry_out(tree_self self, search_step step) {
  auto& state = state_of(self);
  const auto iteration = state.iteration;
  for (const auto& work : step.jobs)
    note_purpose(state, work);
  for (auto& work : step.jobs)
    ask(self, state.ledger, caf::infinite, atom::submit_v, std::move(work))
        .then(
            [self, iteration](const job_result& done) {
              const ordinary_scheduling while_computing;
              auto& current = state_of(self);
              // Nothing more is asked for an iteration that has failed.
              if (current.iteration == iteration && current.waiting)
                carry_out(self, current.search->on(done));
            },
            [self, iteration](const caf::error& err) {
              auto& current = state_of(self);
              if (current.iteration == iteration) fail(current, err);
            });
  if (!step.report) return;
  record(self, iteration);
  answer(state, *step.report);
}

document_outcome outcome_of(const concept_search& search) {
  document_outcome out;
  out.about = search.about();
  const auto& nodes = search.nodes();
  const auto best = search.published();
  out.best = record_of(nodes.at(best));
  if (best != tree::root()) out.parent = nodes.at(nodes.at(best).parent).hash;
  out.evidence = search.evidence_of(out.best.hash);
  std::set<insight_id> named;
  for (const auto& line : out.evidence)
    named.insert(line.insights.begin(), line.insights.end());
  out.cited = search.insights().list_only(named);
  out.versions = records_of(nodes);
  return out;
}

} // namespace

tree_actor::behavior_type
tree_of_concept(tree_self self, std::shared_ptr<concept_search> search,
                ledger_actor ledger, save_search save, tree_place place) {
  auto& state = state_of(self);
  state.search = std::make_unique<concept_search>(std::move(*search));
  state.ledger = std::move(ledger);
  state.place = std::move(place);
  if (state.place.recorded) state.recorded = records_of(state.search->nodes());
  return {
      [self](atom::expand,
             const start_expand& order) -> caf::result<expand_report> {
        auto& current = state_of(self);
        if (current.unrecorded) return *current.unrecorded;
        current.iteration = order.iteration;
        const ordinary_scheduling while_computing;
        auto promise = self->make_response_promise<expand_report>();
        current.waiting = promise;
        carry_out(self, current.search->start(order));
        return promise;
      },
      [self, save = std::move(save)](atom::flush) -> caf::result<bool> {
        const ordinary_scheduling while_computing;
        if (save) save(*state_of(self).search);
        return true;
      },
      [self](atom::outcome) -> caf::result<document_outcome> {
        if (state_of(self).unrecorded) return *state_of(self).unrecorded;
        const ordinary_scheduling while_computing;
        return outcome_of(*state_of(self).search);
      },
  };
}

} // namespace brewery

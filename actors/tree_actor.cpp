#include "actors/tree_actor.hpp"

#include "search/report.hpp"

#include <set>

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

void carry_out(tree_self self, search_step step) {
  auto& state = state_of(self);
  const auto iteration = state.iteration;
  for (auto& work : step.jobs)
    ask(self, state.ledger, caf::infinite, atom::submit_v, std::move(work))
        .then(
            [self, iteration](const job_result& done) {
              auto& current = state_of(self);
              if (current.iteration == iteration)
                carry_out(self, current.search->on(done));
            },
            [self, iteration](const caf::error& err) {
              auto& current = state_of(self);
              if (current.iteration == iteration) fail(current, err);
            });
  if (step.report) answer(state, *step.report);
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
  for (auto& counted : search.insights().list())
    if (named.contains(counted.item->id))
      out.cited.push_back(std::move(counted));
  out.versions = records_of(nodes);
  return out;
}

} // namespace

tree_actor::behavior_type
tree_of_concept(tree_self self, std::shared_ptr<concept_search> search,
                ledger_actor ledger, save_search save) {
  auto& state = state_of(self);
  state.search = std::make_unique<concept_search>(std::move(*search));
  state.ledger = std::move(ledger);
  return {
      [self](atom::expand,
             const start_expand& order) -> caf::result<expand_report> {
        auto& current = state_of(self);
        current.iteration = order.iteration;
        auto promise = self->make_response_promise<expand_report>();
        current.waiting = promise;
        carry_out(self, current.search->start(order));
        return promise;
      },
      [self, save = std::move(save)](atom::flush) -> caf::result<bool> {
        if (save) save(*state_of(self).search);
        return true;
      },
      [self](atom::outcome) -> caf::result<document_outcome> {
        return outcome_of(*state_of(self).search);
      },
  };
}

} // namespace brewery

#include "sim/search_node.hpp"

#include "messages/wire/codec.hpp"

#include <fmt/format.h>

#include <utility>

namespace brewery::simulated {

search_node::search_node(std::shared_ptr<const brew_settings> settings,
                         std::vector<gather_record> recorded, port to)
    : port_(std::move(to)), settings_(std::move(settings)),
      documents_(std::make_shared<document_store>()),
      phases_(settings_, documents_, std::move(recorded)) {}

void search_node::answered(const job_result& answer) {
  apply(phases_.on(answer));
  for (auto& [id, tree] : trees_)
    apply(tree.on(answer));
}

void search_node::apply(phase_step step) {
  steps_.push_back(std::move(step));
  carry_out_waiting();
}

void search_node::apply(search_step step) {
  for (const auto& work : step.jobs)
    port_.submit(work);
  if (step.report) apply(phases_.on(*step.report));
}

/// A tree that reports at once must not overtake the step that started it.
void search_node::carry_out_waiting() {
  if (carrying_out_) return;
  carrying_out_ = true;
  while (!recording_ && !steps_.empty()) {
    auto step = std::move(steps_.front());
    steps_.pop_front();
    carry_out(std::move(step));
  }
  carrying_out_ = false;
}

void search_node::carry_out(phase_step step) {
  if (step.failed) port_.violated("the search failed: " + step.failed->message);
  for (const auto& work : step.jobs)
    port_.submit(work);
  for (auto& seed : step.trees) {
    const auto id = seed.about.record.id;
    trees_.emplace(id,
                   concept_search{settings_, std::move(seed.about), seed.root,
                                  std::move(seed.evidence), documents_});
  }
  if (step.catch_up) apply(trees_.at(step.late_tree).start(*step.catch_up));
  if (step.gathered)
    put_on_record(std::move(step));
  else
    go_on(step);
}

void search_node::put_on_record(phase_step step) {
  const auto& gathered = *step.gathered;
  gathers_.push_back(gathered);
  port_.record(gather_record::type_name, std::to_string(gathered.iteration),
               wire::encode(gathered));
  recording_ = std::move(step);
}

void search_node::recorded() {
  const auto step = std::exchange(recording_, std::nullopt);
  carrying_out_ = true;
  go_on(*step);
  carrying_out_ = false;
  carry_out_waiting();
}

void search_node::go_on(const phase_step& step) {
  if (step.expand)
    for (const auto id : step.ready)
      apply(trees_.at(id).start(*step.expand));
  if (step.finished) outcome_ = final_state{phases_.current(), gathers_};
}

std::string search_node::state() const {
  return fmt::format("{}, iteration {}, waits for {}",
                     to_string(phases_.phase()), phases_.iteration(),
                     phases_.waiting_for());
}

} // namespace brewery::simulated

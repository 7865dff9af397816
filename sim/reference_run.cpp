#include "sim/reference_run.hpp"

#include "sim/simulated_work.hpp"

namespace brewery::simulated {

namespace {

class reference_player {
public:
  reference_player(const brew_settings& settings,
                   std::vector<gather_record> gathers)
      : settings_(std::make_shared<const brew_settings>(settings)),
        phases_(settings_, documents_, std::move(gathers)) {}

  final_state run() {
    carry_out(phases_.begin());
    while (!jobs_.empty() || !steps_.empty()) {
      if (!steps_.empty()) {
        const auto step = std::move(steps_.front());
        steps_.pop_front();
        carry_out(step);
        continue;
      }
      const auto answer = simulated_answer(jobs_.front(), simulated_topics);
      jobs_.pop_front();
      steps_.push_back(phases_.on(answer));
      for (auto& [id, tree] : trees_)
        take(tree.on(answer));
    }
    return {phases_.current(), std::move(gathers_)};
  }

private:
  void carry_out(const phase_step& step) {
    BREWERY_ASSERT(!step.failed);
    jobs_.insert(jobs_.end(), step.jobs.begin(), step.jobs.end());
    for (const auto& seed : step.trees)
      trees_.emplace(seed.about.record.id,
                     concept_search{settings_, seed.about, seed.root,
                                    seed.evidence, documents_});
    if (step.catch_up) take(trees_.at(step.late_tree).start(*step.catch_up));
    if (step.gathered) gathers_.push_back(*step.gathered);
    if (step.expand)
      for (const auto id : step.ready)
        take(trees_.at(id).start(*step.expand));
  }

  void take(const search_step& step) {
    jobs_.insert(jobs_.end(), step.jobs.begin(), step.jobs.end());
    if (step.report) steps_.push_back(phases_.on(*step.report));
  }

  std::shared_ptr<const brew_settings> settings_;
  std::shared_ptr<document_store> documents_ =
      std::make_shared<document_store>();
  brew_phases phases_;
  std::map<concept_id, concept_search> trees_;
  std::deque<job> jobs_;
  std::deque<phase_step> steps_;
  std::vector<gather_record> gathers_;
};

} // namespace

final_state reference_run(const brew_settings& settings,
                          const std::vector<gather_record>& gathers) {
  return reference_player{settings, gathers}.run();
}

} // namespace brewery::simulated

/// Scores beside other neighbours are old scores: a version was measured with
/// the other documents of its time. With economy.rescore, what an iteration
/// begins with is measured again beside those of now: the published version,
/// then the best by what is known, until the best is not old. So the best
/// version of the tree is one of these neighbours, and old scores that decide
/// nothing cost nothing. The strategies and UCT go on with the others' old
/// scores, as in the paper.

#include "learners/brew/concept_search.hpp"

#include <limits>

namespace brewery {

std::optional<search_step> concept_search::rescore() {
  if (!settings_->economy.rescore) return std::nullopt;
  if (is_stale(published_)) return score_again(published_);
  // A bound of an old score decides no more than another bound does.
  if (const auto open = undecided_best(tree_); !open.empty())
    return go_on_with(open);
  if (const auto best = tree_.best(); best && is_stale(*best))
    return score_again(*best);
  return std::nullopt;
}

bool concept_search::is_stale(node_id version) const {
  const auto& known = tree_.at(version);
  return known.evaluated() && !known.bounded() && !rescored_.contains(version)
         && known.evaluations.front().id.value != hybrid_with(version).hash();
}

search_step concept_search::score_again(node_id version) {
  stage_ = stage::rescoring;
  scorings_.emplace_back(settings_, about_.record, version,
                         hybrid_with(version));
  search_step step;
  step.jobs =
      scorings_.back().ask(std::numeric_limits<std::size_t>::max(),
                           hardness_.order(about_.record.eval_tasks.size()));
  for (auto& item : step.jobs)
    item.stages_after = before_training;
  counts_.add(economy::rescored, step.jobs.size());
  return step;
}

/// Where too many environments broke, the old score stays.
search_step concept_search::end_rescoring() {
  const auto& played = scorings_.front();
  rescored_.insert(played.scored());
  if (auto measured = played.finish())
    tree_.replace(played.scored(), std::move(*measured));
  scorings_.clear();
  return choose();
}

} // namespace brewery

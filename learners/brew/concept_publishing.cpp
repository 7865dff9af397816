/// What a search publishes at the end of an iteration. Without economy.confirm
/// it is the version with the best score. The best of many scores is flattered
/// by chance, more so the more were drawn (the winner's curse). So with it, the
/// best version is first played on trials that no score used, and the published
/// one beside it on the same.
///
/// One challenge an iteration. A version that lost one does not challenge
/// again; the search may still refine it.

#include "learners/brew/concept_search.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace brewery {

/// All that may be the best must be known to be or not to be: what beat a
/// stopped version may have no score in the end, or may have been refused.
search_step concept_search::end_iteration(std::string note) {
  note_ = std::move(note);
  if (const auto open = undecided_best(tree_); !open.empty())
    return go_on_with(open);
  // Without any full evaluation (all environments broke), report the root.
  const auto best = tree_.best().value_or(tree::root());
  if (settings_->economy.confirm > 0 && order_.iteration > 0
      && !settings_->learner.tree.publish_newest && best != published_)
    return confirm(best);
  published_ = best;
  return finish(std::exchange(note_, {}));
}

search_step concept_search::confirm(node_id challenger) {
  stage_ = stage::confirming;
  const auto& trials = settings_->eval_choice.trials;
  search_step step;
  for (const auto played : {challenger, published_}) {
    scorings_.emplace_back(settings_, about_.record, played,
                           hybrid_with(played),
                           trial_span{trials, settings_->economy.confirm});
    auto jobs =
        scorings_.back().ask(std::numeric_limits<std::size_t>::max(),
                             hardness_.order(about_.record.eval_tasks.size()));
    std::ranges::move(jobs, std::back_inserter(step.jobs));
  }
  counts_.add(economy::confirmed, step.jobs.size());
  return step;
}

search_step concept_search::end_confirmation() {
  const auto reward = [](const version_scoring& played) {
    const auto measured = played.finish();
    return measured ? std::vector{measured->reward} : std::vector<double>{};
  };
  const auto challenger = scorings_.at(0).scored();
  const confirmation made{published_, order_.iteration, reward(scorings_.at(0)),
                          reward(scorings_.at(1))};
  tree_.note_challenge(challenger, made);
  if (is_confirmed(made)) published_ = challenger;
  return finish(std::exchange(note_, {}));
}

} // namespace brewery

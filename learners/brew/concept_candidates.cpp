/// From written candidates to versions of the tree. Versions are numbered in
/// the order of their draws, so none is in the tree before all candidates of
/// the iteration are written. Rollouts need no number: a candidate's first wave
/// is asked for at once, if it would be asked for whatever the others are.

#include "learners/brew/concept_search.hpp"

#include <algorithm>

namespace brewery {

search_step concept_search::take_candidate(const job_result& answer) {
  search_step step;
  if (const auto* rollout = std::get_if<rollout_result>(&answer.output))
    for (auto& [hash, early] : early_)
      early.played.take(answer.id, *rollout);
  bool is_new = false;
  for (auto& item : candidates_) {
    if (item.integration != answer.id || item.answered) continue;
    item.answered = is_new = true;
    const auto* made = std::get_if<integrate_result>(&answer.output);
    if (made == nullptr) continue;
    item.written = documents_->add(made->body);
    item.evidence = made->evidence;
    score_early(item.written->hash, step);
  }
  const bool complete = std::ranges::all_of(candidates_, &candidate::answered);
  return is_new && complete ? adopt_candidates(std::move(step))
                            : std::move(step);
}

/// Whether a candidate's first wave is asked for, whatever its siblings are.
/// Otherwise one of these may beat it before either has played, by its rank
/// alone.
bool concept_search::is_certain_to_begin(const bounds& reward) const {
  if (!is_bounded()) return true;
  const node_id next{static_cast<std::uint32_t>(tree_.size())};
  return reward.most > settings_->learner.tree.weights.retrieval
         && beaten({{next, reward}}, tree_).empty();
}

void concept_search::score_early(const doc_hash& written, search_step& step) {
  if (tree_.find(written) || early_.contains(written)) return;
  // Its number comes when it is in the tree.
  version_scoring played{settings_, about_.record, tree::root(),
                         hybrid_with(written)};
  const auto before = played.reward();
  auto& early =
      early_.emplace(written, early_scoring{std::move(played), before})
          .first->second;
  if (is_certain_to_begin(before)) ask_wave(early.played, step.jobs);
}

/// `step`: what is to be done besides.
search_step concept_search::adopt_candidates(search_step step) {
  std::vector<node_id> fresh;
  bool is_written = false;
  for (auto& item : candidates_) {
    if (!item.written) {
      ++dropped_;
      tree_.note_lost_draw(item.parent);
      continue;
    }
    is_written = true;
    const auto& hash = item.written->hash;
    const auto added = tree_.add_child(item.parent, hash, order_.iteration);
    ++(added.created ? added_ : dropped_);
    if (!added.created) continue;
    evidence_[hash] = as_made(std::move(item.evidence), groups_);
    fresh.push_back(added.id);
  }
  if (fresh.empty())
    return end_iteration(is_written
                             ? "no candidate differed from a known version"
                             : "no candidate was written");
  return evaluate(fresh, std::move(step));
}

/// The first wave of all: of some it is on its way, or already played.
search_step concept_search::evaluate(const std::vector<node_id>& fresh,
                                     search_step step) {
  stage_ = stage::evaluating;
  std::vector<contender> before;
  for (const auto scored : fresh) {
    if (auto early = early_.extract(tree_.at(scored).hash); !early.empty()) {
      scorings_.push_back(std::move(early.mapped().played));
      scorings_.back().set_scored(scored);
      before.push_back({scored, early.mapped().before});
    } else {
      scorings_.emplace_back(settings_, about_.record, scored,
                             hybrid_with(scored));
      before.push_back({scored, scorings_.back().reward()});
    }
  }
  if (is_bounded()) stop_beaten(before);
  bool waits = false;
  for (auto& item : scorings_) {
    if (!item.has_begun() && !is_over(item.scored())) ask_wave(item, step.jobs);
    waits = waits || item.waits();
  }
  if (!waits) return next_wave(std::move(step));
  ask_ahead(step.jobs);
  return step;
}

} // namespace brewery

/// The evaluation of candidates: all side by side, in waves, hardest tasks
/// first. After each wave those that cannot become the best version stop
/// (search/bounds.hpp). Nothing is decided before a wave is complete, so the
/// order of arrival decides nothing. A candidate that will go on, whatever the
/// others' wave brings, is asked for its next one at once; what comes of it
/// counts after the look. Not in a race, where the look decides more.

#include "base/text.hpp"
#include "learners/brew/concept_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace brewery {

/// The first version has nothing to lose to, and the strategy iterative needs
/// the full score of its newest version for the next. Without selection no
/// version has to beat another.
bool concept_search::selects() const {
  const auto& search = settings_->learner.tree;
  return order_.iteration > 0 && search.how != strategy::iterative
         && !search.publish_newest;
}

/// No more of its rollouts are asked for.
bool concept_search::is_over(node_id scored) const {
  return beaten_.contains(scored) || raced_.contains(scored);
}

bool concept_search::is_bounded() const {
  return settings_->economy.bounds && selects();
}

/// The most rollouts of a version between two looks.
std::size_t concept_search::wave() const {
  return is_bounded() || is_raced() ? std::size_t{settings_->economy.wave}
                                    : std::numeric_limits<std::size_t>::max();
}

search_step concept_search::take_score(const job_id& job,
                                       const rollout_result& rollout) {
  bool waits = false;
  for (auto& item : scorings_) {
    item.take(job, rollout);
    waits = waits || item.waits();
  }
  search_step step;
  if (waits) {
    ask_ahead(step.jobs);
    return step;
  }
  if (stage_ == stage::confirming) return end_confirmation();
  if (stage_ == stage::rescoring) return end_rescoring();
  return stage_ == stage::evaluating ? next_wave() : score();
}

/// `step`: what is to be done besides.
search_step concept_search::next_wave(search_step step) {
  for (bool looked_ahead = true; looked_ahead;) {
    if (is_bounded()) stop_beaten();
    if (is_raced()) race();
    bool waits = looked_ahead = false;
    for (auto& item : scorings_) {
      if (is_over(item.scored())) continue;
      if (item.catch_up())
        looked_ahead = true;
      else
        ask_wave(item, step.jobs);
      waits = waits || item.waits();
    }
    if (!waits) continue;
    ask_ahead(step.jobs);
    return step;
  }
  return score();
}

/// Those that have ended their wave and are not beaten at the next look, if all
/// others have the best one that is possible.
void concept_search::ask_ahead(std::vector<job>& out) {
  if (stage_ != stage::evaluating || !is_bounded() || is_raced()) return;
  const auto plays = [&](const version_scoring& item) {
    return !is_over(item.scored()) && item.may_be_scored();
  };
  const auto is_idle = [&](const version_scoring& item) {
    return plays(item) && !item.waits() && !item.is_ahead() && item.left() > 0;
  };
  if (std::ranges::none_of(scorings_, is_idle)) return;
  std::vector<contender> others;
  for (const auto& item : scorings_)
    if (plays(item))
      others.push_back(
          {item.scored(), {item.least_at_best(), item.reward().most}});
  const auto lost = beaten(others, tree_);
  for (auto& item : scorings_)
    if (is_idle(item) && std::ranges::find(lost, item.scored()) == lost.end())
      ask_wave(item, out, version_scoring::asking::ahead);
}

std::vector<job> concept_search::ask_wave() {
  std::vector<job> out;
  for (auto& item : scorings_)
    if (!is_over(item.scored())) ask_wave(item, out);
  return out;
}

void concept_search::ask_wave(version_scoring& of, std::vector<job>& out,
                              version_scoring::asking when) {
  const auto order = order_of_play();
  auto jobs = of.ask(wave(), order, when);
  counts_.add(economy::asked, jobs.size());
  std::shared_ptr<const task_waves> then;
  if (auto more = of.later_waves(wave(), order); !more.empty())
    then = std::make_shared<const task_waves>(std::move(more));
  for (auto& item : jobs) {
    item.then = then;
    out.push_back(std::move(item));
  }
}

/// Those that will have no score stop too, and beat nobody: without bounds they
/// have none either.
void concept_search::stop_beaten() {
  std::vector<contender> running;
  for (const auto& item : scorings_)
    if (is_over(item.scored()))
      continue;
    else if (item.may_be_scored())
      running.push_back({item.scored(), item.reward()});
    else
      stop(item);
  stop_beaten(running);
}

void concept_search::stop_beaten(const std::vector<contender>& running) {
  for (const auto id : beaten(running, tree_))
    for (const auto& item : scorings_)
      if (item.scored() == id) stop(item);
}

void concept_search::stop(const version_scoring& scoring) {
  if (scoring.complete()) return;
  beaten_.insert(scoring.scored());
  counts_.add(economy::pruned, scoring.left());
}

void concept_search::absorb(const version_scoring& scoring) {
  stopped_.erase(scoring.scored());
  stopped_ranks_.erase(scoring.scored());
  if (scoring.complete() || !scoring.may_be_scored()) {
    if (auto measured = scoring.finish())
      tree_.absorb(scoring.scored(), std::move(*measured));
    else
      tree_.withdraw(scoring.scored(), scoring.bounded().id);
    return;
  }
  tree_.absorb(scoring.scored(), scoring.bounded());
  stopped_.emplace(scoring.scored(), scoring.stopped());
  stopped_ranks_.emplace(scoring.scored(), scoring.ranks());
}

/// Ends a round of evaluations: new ones, or stopped ones that went on.
search_step concept_search::score() {
  std::size_t unscored = 0;
  for (const auto& item : scorings_) {
    item.teach(hardness_);
    unscored += !item.may_be_scored();
    if (!raced_.contains(item.scored())) absorb(item);
  }
  absorb_raced();
  if (unscored > 0)
    note_ = fmt::format("too few rollouts were graded to compare {} of {}",
                        unscored, counted(scorings_.size(), "version"));
  scorings_.clear();
  beaten_.clear();
  raced_.clear();
  return chosen_.empty() && order_.iteration > 0 ? choose() : end_evaluation();
}

search_step concept_search::end_evaluation() {
  return end_iteration(std::exchange(note_, {}));
}

search_step concept_search::go_on_with(const std::vector<node_id>& stopped) {
  stage_ = stage::settling;
  for (const auto id : stopped) {
    const auto& from = stopped_.at(id);
    const auto hybrid = resolve(from.hybrid, *documents_);
    BREWERY_ASSERT(hybrid.has_value());
    scorings_.emplace_back(settings_, about_.record, from, *hybrid,
                           stopped_ranks_[id]);
  }
  search_step step{ask_wave(), {}};
  const bool chooses = order_.iteration > 0 && chosen_.empty();
  for (auto& item : step.jobs) {
    item.stages_after = chooses ? before_training : 0;
    item.then = nullptr; // one wave, and what hangs on it is asked again
  }
  counts_.add(economy::resumed, step.jobs.size());
  return step;
}

} // namespace brewery

/// The evaluation of candidates: all side by side, in waves, hardest tasks
/// first. After each wave those that cannot become the best version stop
/// (search/bounds.hpp). Nothing is decided before a wave is complete, so the
/// order of arrival decides nothing.

#include "base/text.hpp"
#include "learners/brew/concept_search.hpp"

#include <fmt/format.h>

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

/// That so many rollouts of a version are played in, one after the other.
std::uint32_t concept_search::waves_for(std::size_t rollouts) const {
  const auto whole = rollouts / wave();
  return static_cast<std::uint32_t>(whole + (whole * wave() < rollouts));
}

/// Before it come the embedding, the training, and what chooses.
std::uint32_t concept_search::stages_after_writing() const {
  return waves_for(about_.record.eval_tasks.size()
                   * settings_->eval_choice.trials);
}

search_step concept_search::take_score(const job_id& job,
                                       const rollout_result& rollout) {
  bool waits = false;
  for (auto& item : scorings_) {
    item.take(job, rollout);
    waits = waits || item.waits();
  }
  if (waits) return {};
  if (stage_ == stage::confirming) return end_confirmation();
  if (stage_ == stage::rescoring) return end_rescoring();
  return stage_ == stage::evaluating ? next_wave() : score();
}

search_step concept_search::next_wave() {
  if (is_bounded()) stop_beaten();
  if (is_raced()) race();
  search_step step{ask_wave(), {}};
  return step.jobs.empty() ? score() : std::move(step);
}

std::vector<job> concept_search::ask_wave() {
  std::vector<job> out;
  for (auto& item : scorings_)
    if (!is_over(item.scored())) ask_wave(item, out);
  return out;
}

void concept_search::ask_wave(version_scoring& of, std::vector<job>& out) {
  auto jobs = of.ask(wave(), order_of_play());
  counts_.add(economy::asked, jobs.size());
  const auto more = waves_for(of.left());
  for (auto& item : jobs) {
    item.stages_after = more;
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
  if (order_.iteration > 0 && chosen_.empty())
    for (auto& item : step.jobs)
      item.stages_after += stages_after_writing() + 3;
  counts_.add(economy::resumed, step.jobs.size());
  return step;
}

} // namespace brewery

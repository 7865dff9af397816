#include "learners/brew/version_scoring.hpp"

#include "kb/bm25.hpp"
#include "kb/knowledge_base.hpp"
#include "kb/mrr.hpp"

#include <algorithm>
#include <utility>

namespace brewery {

namespace {

const std::string& instruction_of(const std::vector<learner_task>& tasks,
                                  const task_id& id) {
  const auto it = std::find_if(tasks.begin(), tasks.end(),
                               [&](const auto& t) { return t.id == id; });
  BREWERY_ASSERT(it != tasks.end());
  return it->instruction;
}

std::size_t position_of(concept_id about, const std::vector<doc_ref>& refs) {
  return static_cast<std::size_t>(
      std::find_if(refs.begin(), refs.end(),
                   [&](const auto& r) { return r.concept_ref == about; })
      - refs.begin());
}

} // namespace

version_scoring::version_scoring(std::shared_ptr<const brew_settings> settings,
                                 const concept_record& about, node_id scored,
                                 const knowledge_base& hybrid,
                                 trial_span trials, rank_list ranks)
    : settings_(std::move(settings)), tasks_(about.eval_tasks), scored_(scored),
      trials_(trials), hybrid_(hybrid.refs()), concept_(about.id),
      hybrid_base_(hybrid), position_(position_of(about.id, hybrid_)),
      ranks_(std::move(ranks)), pending_({}, {}) {
  if (ranks_.size() != tasks_.size()) {
    ranks_.assign(tasks_.size(), std::nullopt);
    if (!settings_->ranked_by_rollouts)
      for (std::size_t t = 0; t < tasks_.size(); ++t)
        ranks_[t] = reciprocal_rank(
            index(), instruction_of(settings_->eval, tasks_[t]), position_);
  }
  std::vector<evaluation_query> queries;
  for (std::size_t t = 0; t < tasks_.size(); ++t)
    for (std::uint32_t i = 0; i < trials_.count; ++i) {
      jobs_.push_back(make_rollout_job(*settings_, tasks_[t], trials_.first + i,
                                       hybrid_, false)
                          .id);
      queries.push_back({jobs_.back(), ranks_[t]});
    }
  pending_ = pending_evaluation{{hybrid.hash()}, std::move(queries)};
}

version_scoring::version_scoring(std::shared_ptr<const brew_settings> settings,
                                 const concept_record& about, node_id scored,
                                 const knowledge_base& hybrid)
    : version_scoring(settings, about, scored, hybrid,
                      {0, settings->eval_choice.trials}) {}

version_scoring::version_scoring(std::shared_ptr<const brew_settings> settings,
                                 const concept_record& about,
                                 const stopped_scoring& from,
                                 const knowledge_base& hybrid, rank_list ranks)
    : version_scoring(settings, about, from.scored, hybrid,
                      {0, settings->eval_choice.trials}, std::move(ranks)) {
  for (const auto& item : from.answers) {
    if (item.query >= jobs_.size()) continue;
    note(item.query, {item.grade, item.rank});
    before_.insert(item.query);
  }
}

std::vector<job> version_scoring::ask(std::size_t most,
                                      const std::vector<std::size_t>& tasks,
                                      asking when) {
  std::vector<job> out;
  for (const auto task : tasks)
    for (std::uint32_t trial = 0; trial < trials_.count; ++trial) {
      const auto query = task * trials_.count + trial;
      if (out.size() == most) return out;
      if (is_asked(query)) continue;
      if (when == asking::now)
        asked_.insert(query);
      else
        ahead_.emplace(query, std::nullopt);
      out.push_back(make_job(make_rollout_job(
          *settings_, tasks_[task], trials_.first + trial, hybrid_, false)));
    }
  return out;
}

task_waves
version_scoring::later_waves(std::size_t most,
                             const std::vector<std::size_t>& tasks) const {
  task_waves out;
  std::size_t count = 0;
  for (const auto task : tasks)
    for (std::uint32_t trial = 0; trial < trials_.count; ++trial) {
      if (is_asked(task * trials_.count + trial)) continue;
      if (count++ % most == 0) out.emplace_back();
      if (out.back().empty() || out.back().back() != tasks_[task])
        out.back().push_back(tasks_[task]);
    }
  return out;
}

bool version_scoring::is_asked(std::size_t query) const {
  return answers_.contains(query) || asked_.contains(query)
         || ahead_.contains(query);
}

void version_scoring::note(std::size_t query, answer given) {
  if (given.grade)
    pending_.absorb(jobs_[query], *given.grade, given.rank);
  else
    pending_.give_up(jobs_[query], given.rank);
  answers_.insert_or_assign(query, given);
}

void version_scoring::take(const job_id& job, const rollout_result& rollout) {
  if (const auto query = std::ranges::find_if(
          asked_, [&](std::size_t each) { return jobs_[each] == job; });
      query != asked_.end()) {
    const auto number = *query;
    asked_.erase(query);
    note(number, read(rollout));
  }
  for (auto& [query, given] : ahead_)
    if (!given && jobs_[query] == job) given = read(rollout);
}

bool version_scoring::catch_up() {
  const bool was_ahead = is_ahead();
  for (const auto& [query, given] : std::exchange(ahead_, {}))
    if (given)
      note(query, *given);
    else
      asked_.insert(query);
  return was_ahead;
}

version_scoring::answer version_scoring::read(const rollout_result& rollout) {
  answer given;
  if (rollout.outcome == rollout_outcome::graded) {
    given.grade = rollout.grade.reward;
    given.rank = rank_of(rollout);
  } else if (settings_->ranked_by_rollouts
             && rollout.outcome == rollout_outcome::environment_error) {
    given.rank = rank_of(rollout);
  }
  return given;
}

/// None if the agent asked with the task's subject, whose rank is known.
const retriever& version_scoring::index() {
  if (!index_) index_ = make_bm25(hybrid_base_, settings_->retrieval);
  return *index_;
}

std::optional<double> version_scoring::rank_of(const rollout_result& made) {
  if (settings_->ranked_by_rollouts)
    return reciprocal_rank(made.ranking, concept_);
  if (made.asked.empty()) return std::nullopt;
  return reciprocal_rank(index(), made.asked, position_);
}

std::size_t version_scoring::left() const {
  return jobs_.size() - answers_.size() - asked_.size() - ahead_.size();
}

bounds version_scoring::reward() const {
  return pending_
      .interval(settings_->learner.tree.weights, settings_->asks_with_task)
      .reward;
}

double version_scoring::least_at_best() const {
  return pending_.least_at_best(asked_, settings_->learner.tree.weights,
                                settings_->asks_with_task);
}

bool version_scoring::may_be_scored() const {
  return pending_.may_finish(settings_->eval_choice.min_graded);
}

std::optional<evaluation> version_scoring::finish() const {
  return pending_.finish(settings_->learner.tree.weights,
                         settings_->eval_choice.min_graded);
}

evaluation version_scoring::bounded() const {
  return pending_.stopped(settings_->learner.tree.weights,
                          settings_->asks_with_task);
}

stopped_scoring version_scoring::stopped() const {
  stopped_scoring out{scored_, hybrid_, {}};
  for (const auto& [query, given] : answers_)
    out.answers.push_back(
        {static_cast<std::uint32_t>(query), given.grade, given.rank});
  return out;
}

void version_scoring::teach(hardness& learned) const {
  for (const auto& [query, given] : answers_)
    if (given.grade && !before_.contains(query))
      learned.add(query / trials_.count, *given.grade);
}

} // namespace brewery

#include "search/evaluation.hpp"

#include "base/error.hpp"

namespace brewery {

pending_evaluation::pending_evaluation(evaluation_id id,
                                       std::vector<evaluation_query> queries)
    : id_(std::move(id)), queries_(std::move(queries)) {
  for (const auto& query : queries_)
    answered_by_.push_back(
        places_.try_emplace(query.job, places_.size()).first->second);
  answers_.resize(places_.size());
  open_ = answers_.size();
}

pending_evaluation::answer* pending_evaluation::waiting(const job_id& job) {
  const auto it = places_.find(job);
  if (it == places_.end() || answers_[it->second].arrived) return nullptr;
  return &answers_[it->second];
}

bool pending_evaluation::expects(const job_id& job) const {
  const auto it = places_.find(job);
  return it != places_.end() && !answers_[it->second].arrived;
}

bool pending_evaluation::absorb(const job_id& job, double grade,
                                std::optional<double> reciprocal_rank) {
  BREWERY_ASSERT(grade >= 0 && grade <= 1);
  answer* found = waiting(job);
  if (found == nullptr) return false;
  *found = {true, true, grade, reciprocal_rank};
  --open_;
  return true;
}

bool pending_evaluation::give_up(const job_id& job,
                                 std::optional<double> reciprocal_rank) {
  answer* found = waiting(job);
  if (found == nullptr) return false;
  found->arrived = true;
  found->rank = reciprocal_rank;
  --open_;
  return true;
}

std::vector<query_bounds> pending_evaluation::known(bool ranks_known) const {
  std::vector<query_bounds> out;
  out.reserve(queries_.size());
  for (std::size_t i = 0; i < queries_.size(); ++i) {
    const answer& got = answers_[answered_by_[i]];
    const auto stated = got.rank ? got.rank : queries_[i].reciprocal_rank;
    const double rank = stated.value_or(0);
    query_bounds one{!got.arrived || got.graded,
                     {0, 1},
                     {rank, rank},
                     !got.arrived || stated.has_value()};
    if (got.graded) one.grade = {got.grade, got.grade};
    if (!got.arrived && (!ranks_known || !stated)) one.rank = {0, 1};
    out.push_back(one);
  }
  return out;
}

reward_interval pending_evaluation::interval(const reward_weights& weights,
                                             bool ranks_known) const {
  return interval_of(known(ranks_known), weights);
}

/// A rollout that breaks drops out of the mean, which leaves no more than a
/// success would.
double pending_evaluation::least_at_best(const std::set<std::size_t>& queries,
                                         const reward_weights& weights,
                                         bool ranks_known) const {
  auto hoped = known(ranks_known);
  for (const auto at : queries) {
    hoped[at].grade.least = hoped[at].grade.most;
    hoped[at].rank.least = hoped[at].rank.most;
  }
  return interval_of(hoped, weights).reward.least;
}

evaluation pending_evaluation::stopped(const reward_weights& weights,
                                       bool ranks_known) const {
  const auto known = interval(weights, ranks_known);
  evaluation out;
  out.id = id_;
  out.reward = known.reward.most;
  out.correctness = known.correctness.most;
  out.retrieval = known.retrieval.most;
  out.least = known.reward.least;
  for (const auto& got : answers_)
    out.evaluated += got.graded ? 1 : 0;
  return out;
}

bool pending_evaluation::may_finish(double min_graded) const {
  // Shares such as 0.56 of 25 are a little more than they are written.
  constexpr double slack = 1e-9;
  std::size_t graded = 0;
  for (const auto at : answered_by_)
    graded += !answers_[at].arrived || answers_[at].graded;
  return graded > 0
         && static_cast<double>(graded)
                >= min_graded * static_cast<double>(queries_.size()) - slack;
}

std::optional<evaluation>
pending_evaluation::finish(const reward_weights& weights,
                           double min_graded) const {
  if (!complete() || !may_finish(min_graded)) return std::nullopt;
  std::vector<double> grades;
  std::vector<double> ranks;
  for (std::size_t i = 0; i < queries_.size(); ++i) {
    const answer& got = answers_[answered_by_[i]];
    if (got.graded) grades.push_back(got.grade);
    if (const auto rank = got.rank ? got.rank : queries_[i].reciprocal_rank)
      ranks.push_back(*rank);
  }
  evaluation out;
  out.id = id_;
  out.correctness = mean_grade(grades);
  out.retrieval = mean_grade(ranks);
  out.reward = combine(weights, out.correctness, out.retrieval);
  out.evaluated = static_cast<std::uint32_t>(grades.size());
  return out;
}

} // namespace brewery

#include "cluster/answer.hpp"

#include <cmath>

namespace brewery {

namespace {

bool is_rating(double value) {
  return value >= 0 && value <= 1; // false for NaN
}

std::string complaint_about(const rollout_result& made,
                            const rollout_job* asked) {
  if (made.outcome != rollout_outcome::graded
      && made.outcome != rollout_outcome::environment_error)
    return "its rollout was given up, which is not for a worker to say";
  if (!is_rating(made.grade.reward)) return "its reward is not from 0 to 1";
  for (const auto& rating : made.ratings)
    if (!is_rating(rating.score)) return "a rating is not from 0 to 1";
  if (asked && (made.task != asked->task || made.trial != asked->trial))
    return "its rollout is of another task or trial";
  return {};
}

std::string complaint_about(const integrate_result&, const integrate_job*) {
  return {};
}

std::string complaint_about(const embed_result& made, const embed_job* asked) {
  if (asked && made.vectors.size() != asked->texts.size())
    return "it has " + std::to_string(made.vectors.size()) + " vectors for "
           + std::to_string(asked->texts.size()) + " texts";
  for (const auto& vector : made.vectors) {
    if (vector.size() != made.vectors.front().size())
      return "its vectors are of different lengths";
    for (const double value : vector)
      if (!std::isfinite(value)) return "a vector holds what is no number";
  }
  return {};
}

std::string complaint_about(const grade_result& made, const grade_job* asked) {
  if (!is_rating(made.grade.reward)) return "its reward is not from 0 to 1";
  if (asked && made.task != asked->task) return "its grade is of another task";
  return {};
}

template <class Made, class Asked>
std::string complaint_about(const std::vector<Made>& made, const job_id& id,
                            const std::vector<Asked>* asked) {
  if (asked && made.size() != asked->size())
    return "it is not of the kind that was asked for";
  for (const auto& one : made) {
    if (one.id != id) return "it holds a result of another job";
    if (auto why = complaint_about(one, asked ? &asked->front() : nullptr);
        !why.empty())
      return why;
  }
  return {};
}

} // namespace

std::string complaint_about(const job_result& answer, const job* asked) {
  if (asked && answer.id != asked->id) return "it is of another job";
  if (!answer.error.empty()) return "it says both a result and an error";
  if (!asked
      && answer.rollout.size() + answer.integrate.size() + answer.embed.size()
                 + answer.grade.size()
             != 1)
    return "it does not hold exactly one result";
  auto why = complaint_about(answer.rollout, answer.id,
                             asked ? &asked->rollout : nullptr);
  if (why.empty())
    why = complaint_about(answer.integrate, answer.id,
                          asked ? &asked->integrate : nullptr);
  if (why.empty())
    why = complaint_about(answer.embed, answer.id,
                          asked ? &asked->embed : nullptr);
  if (why.empty())
    why = complaint_about(answer.grade, answer.id,
                          asked ? &asked->grade : nullptr);
  return why;
}

bool answers(const job_result& answer, const job& asked) {
  if (answer.rollout.size() != asked.rollout.size()) return false;
  if (!answer.error.empty()) return true;
  return answer.integrate.size() == asked.integrate.size()
         && answer.embed.size() == asked.embed.size()
         && answer.grade.size() == asked.grade.size();
}

} // namespace brewery

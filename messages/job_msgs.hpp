#pragma once
/// A unit of work for a worker and its result, whatever the kind. Exactly one
/// of the members is filled (0..1 values are vectors in described structs).

#include "messages/grade_msgs.hpp"
#include "messages/kb_msgs.hpp"

#include <string_view>

namespace brewery {

struct job {
  job_id id;
  std::vector<rollout_job> rollout;
  std::vector<integrate_job> integrate;
  std::vector<embed_job> embed;
  std::vector<grade_job> grade{};
  static constexpr bool lacks_when_empty = true;
  static constexpr bool may_lack(std::string_view field) {
    return field == "grade";
  }
  BREWERY_FIELDS(job, id, rollout, integrate, embed, grade)
};

/// `error` is not empty when the worker could not do the job at all (not when
/// an environment broke: that is a rollout's own outcome).
struct job_result {
  job_id id;
  std::string error;
  std::vector<rollout_result> rollout;
  std::vector<integrate_result> integrate;
  std::vector<embed_result> embed;
  std::vector<grade_result> grade{};
  static constexpr bool lacks_when_empty = true;
  static constexpr bool may_lack(std::string_view field) {
    return field == "grade";
  }
  BREWERY_FIELDS(job_result, id, error, rollout, integrate, embed, grade)
};

inline job make_job(rollout_job work) {
  const auto id = work.id;
  return {id, {std::move(work)}, {}, {}};
}
inline job make_job(integrate_job work) {
  const auto id = work.id;
  return {id, {}, {std::move(work)}, {}};
}
inline job make_job(embed_job work) {
  const auto id = work.id;
  return {id, {}, {}, {std::move(work)}};
}
inline job make_job(grade_job work) {
  const auto id = work.id;
  return {id, {}, {}, {}, {std::move(work)}};
}

} // namespace brewery

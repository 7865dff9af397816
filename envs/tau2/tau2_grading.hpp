#pragma once
/// Grades an attempt with all of the reference's graders. The reward is the
/// product of the parts that the task's reward basis names.

#include "envs/tau2/domain.hpp"
#include "envs/tau2/grading.hpp"

namespace brewery::tau2 {

/// What was said and done, for the graders.
struct attempt_record {
  std::vector<recorded_call> calls; ///< of both sides, in order
  std::vector<std::string> said; ///< every message of the agent that has text
  std::vector<trajectory_step> events; ///< of turns; for the judge
};

/// DB: whether the end state equals the gold state. The gold state results from
/// the task's actions on `initial`, without sync and ignoring failures, as in
/// the reference.
bool matches_gold(const domain& of, const domain_state& initial,
                  const domain_state& end, const task_criteria& criteria);

/// ENV_ASSERTION: runs the task's assertions in order on `end`, each followed
/// by sync. An assertion that fails to run is not met.
std::vector<bool> check_assertions(domain_state& end,
                                   const task_criteria& criteria);

/// NL_ASSERTION: the judge's verdict on each statement. Error if there is no
/// judge, or not one verdict per statement (the reference counts an empty list
/// as met).
result<std::vector<bool>> judge_statements(const task_criteria& criteria,
                                           const attempt_record& record,
                                           statement_judge* judge);

/// All graders that count for the task. Without criteria the reward is 1. `end`
/// is the state after the last call; it is not changed.
result<grade_report> grade_attempt(const domain& of, const task& item,
                                   const domain_state& initial,
                                   const domain_state& end,
                                   const attempt_record& record,
                                   statement_judge* judge);

/// The report of an attempt that did not end properly: reward 0, and a part
/// that names the ending.
grade_report premature_report(ending why);

/// The ending in the report of such an attempt; empty for other reports.
std::string premature_ending(const grade_report& report);

} // namespace brewery::tau2

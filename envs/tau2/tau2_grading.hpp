#pragma once
/// What an attempt is worth: the reference's graders together. The reward is
/// the product of the parts that the task's reward basis names.

#include "envs/tau2/domain.hpp"
#include "envs/tau2/grading.hpp"

namespace brewery::tau2 {

/// What was said and done, as graders see it.
struct attempt_record {
  std::vector<recorded_call> calls;    ///< of both sides, in order
  std::vector<std::string> said;       ///< every message of the agent with text
  std::vector<trajectory_step> events; ///< of turns: for the judge
};

/// DB: the end state equals the gold state, which is the task's actions from
/// `initial`, without sync and ignoring failures, as the reference builds it.
bool matches_gold(const domain& of, const domain_state& initial,
                  const domain_state& end, const task_criteria& criteria);

/// ENV_ASSERTION: the task's assertions in order on `end`, each followed by
/// sync. An assertion that fails to run is not met.
std::vector<bool> check_assertions(domain_state& end,
                                   const task_criteria& criteria);

/// NL_ASSERTION: the judge's verdict on each statement. Error: no judge, or
/// not one verdict for each (the reference takes an empty list for met).
result<std::vector<bool>> judge_statements(const task_criteria& criteria,
                                           const attempt_record& record,
                                           statement_judge* judge);

/// All that the task counts. Without criteria the reward is 1. `end` is the
/// state after the last call; it is not changed.
result<grade_report> grade_attempt(const domain& of, const task& item,
                                   const domain_state& initial,
                                   const domain_state& end,
                                   const attempt_record& record,
                                   statement_judge* judge);

/// The report of an attempt that did not end properly: reward 0, and a part
/// that says how it ended.
grade_report premature_report(ending why);

/// How the attempt of a report ended where that was premature; empty else.
std::string premature_ending(const grade_report& report);

} // namespace brewery::tau2

#include "envs/tau2/tau2_grading.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::tau2 {

namespace {

constexpr std::string_view premature_prefix = "ended properly, not by ";

/// Adds the checks of the ACTION grader to the report. Equal names would mean
/// equal checks, so a repeated name gets its arguments.
void add_actions(grade_report& report, const task_criteria& criteria,
                 const check_list& checks) {
  const auto& actions = *criteria.actions;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const auto same = std::count_if(actions.begin(), actions.end(),
                                    [&](const gold_action& other) {
                                      return other.name == actions[i].name;
                                    });
    report.parts.push_back(
        {"action "
             + (same > 1 ? call_text(actions[i].name, actions[i].arguments)
                         : actions[i].name),
         checks.met[i]});
  }
}

void add_assertions(grade_report& report, const task_criteria& criteria,
                    const std::vector<bool>& met) {
  for (std::size_t i = 0; i < met.size(); ++i) {
    const env_assertion& check = (*criteria.env_assertions)[i];
    report.parts.push_back({call_text(check.call.name, check.call.arguments)
                                + (check.expected ? "" : " is false"),
                            met[i]});
  }
}

void add_environment(grade_report& report, const domain& of,
                     const task_criteria& criteria, const domain_state& initial,
                     const domain_state& end) {
  const bool nothing_to_compare = !criteria.actions && !criteria.env_assertions;
  const auto settled = end.clone();
  // The reference syncs once more after the replay. If that fails, its grading
  // fails; here the assertions fail too.
  (void)settled->sync();
  if (criteria.counts(reward_part::database))
    report.parts.push_back(
        {"database matches",
         nothing_to_compare || matches_gold(of, initial, *settled, criteria)});
  if (criteria.counts(reward_part::env_assertion))
    add_assertions(report, criteria, check_assertions(*settled, criteria));
}

result<void> add_statements(grade_report& report, const task_criteria& criteria,
                            const attempt_record& record,
                            statement_judge* judge) {
  if (!criteria.counts(reward_part::nl_assertion)
      || criteria.nl_assertions.empty())
    return {};
  const auto met = judge_statements(criteria, record, judge);
  if (!met) return met.error();
  for (std::size_t i = 0; i < met->size(); ++i)
    report.parts.push_back(
        {"statement " + criteria.nl_assertions[i], (*met)[i]});
  return {};
}

} // namespace

bool matches_gold(const domain& of, const domain_state& initial,
                  const domain_state& end, const task_criteria& criteria) {
  if (!criteria.actions || criteria.actions->empty()) return end.same(initial);
  const auto gold = initial.clone();
  for (const gold_action& action : *criteria.actions)
    // Failures are part of the gold state: the reference logs them and
    // continues.
    (void)make_tool_call(of, *gold, play_mode::with_user, action.requestor,
                         action.name, action.arguments);
  return gold->same(end);
}

std::vector<bool> check_assertions(domain_state& end,
                                   const task_criteria& criteria) {
  std::vector<bool> met;
  if (!criteria.env_assertions) return met;
  for (const env_assertion& check : *criteria.env_assertions) {
    const auto verdict = end.run_function(check.call);
    const bool* value = verdict ? std::get_if<bool>(&*verdict) : nullptr;
    met.push_back(value != nullptr && *value == check.expected
                  && end.sync().has_value());
  }
  return met;
}

result<std::vector<bool>> judge_statements(const task_criteria& criteria,
                                           const attempt_record& record,
                                           statement_judge* judge) {
  const auto& statements = criteria.nl_assertions;
  if (judge == nullptr)
    return error{ec::invalid_argument,
                 "the task is graded by statements about the conversation, "
                 "and there is no judge"};
  auto met = judge->holds(statements, record.events);
  if (!met) return met.error();
  if (met->size() != statements.size())
    return error{ec::environment,
                 fmt::format("the judge gave {} verdicts on {} statements",
                             met->size(), statements.size())};
  return met;
}

result<grade_report> grade_attempt(const domain& of, const task& item,
                                   const domain_state& initial,
                                   const domain_state& end,
                                   const attempt_record& record,
                                   statement_judge* judge) {
  grade_report report{.reward = 1, .parts = {}};
  if (!item.criteria) return report;
  const task_criteria& criteria = *item.criteria;
  add_environment(report, of, criteria, initial, end);
  if (criteria.counts(reward_part::action) && criteria.actions)
    add_actions(report, criteria, grade_actions(criteria, record.calls));
  if (criteria.counts(reward_part::communicate)) {
    const auto list = grade_communication(criteria, record.said);
    for (std::size_t i = 0; i < list.met.size(); ++i)
      report.parts.push_back(
          {"communicate " + criteria.communicate_info[i], list.met[i]});
  }
  if (auto ok = add_statements(report, criteria, record, judge); !ok)
    return ok.error();
  const bool all = std::all_of(report.parts.begin(), report.parts.end(),
                               [](const grade_part& p) { return p.met; });
  report.reward = all ? 1 : 0;
  return report;
}

grade_report premature_report(ending why) {
  return {.reward = 0,
          .parts = {
              {fmt::format("{}{}", premature_prefix, to_string(why)), false}}};
}

std::string premature_ending(const grade_report& report) {
  for (const auto& part : report.parts)
    if (part.name.starts_with(premature_prefix))
      return part.name.substr(premature_prefix.size());
  return {};
}

} // namespace brewery::tau2

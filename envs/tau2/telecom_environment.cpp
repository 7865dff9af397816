#include "envs/tau2/telecom_environment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace brewery::tau2 {

namespace {

std::vector<tool_spec> tool_specs(bool with_user_kit) {
  std::vector<tool_spec> specs;
  for (const auto* kit : {&agent_functions(), &user_functions()}) {
    if (kit == &user_functions() && !with_user_kit) break;
    for (const auto& f : kit->functions())
      if (f.role == function_role::tool) specs.push_back(f.spec);
  }
  return specs;
}

/// Text of an object a tool returned: strings as they are, verdicts quoted.
std::string result_text(tool_value value) {
  if (auto* text = std::get_if<std::string>(&value)) return std::move(*text);
  return std::get<bool>(value) ? "\"True\"" : "\"False\"";
}

/// Checks of one grader as report parts. Equal names would be taken for equal
/// checks, so a repeated name is followed by its arguments.
void add_action_parts(grade_report& report, const task_criteria& criteria,
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

} // namespace

result<tool_value> make_tool_call(telecom_state& state, play_mode mode,
                                  std::string_view requestor,
                                  std::string_view name,
                                  const json& arguments) {
  for (const char* reserved : {"self", "tool_name", "requestor"})
    if (arguments.is_object() && arguments.contains(reserved))
      return error{ec::invalid_argument,
                   fmt::format("Environment.make_tool_call() got multiple "
                               "values for argument '{}'",
                               reserved)};
  const telecom_functions* kit = functions_of(requestor);
  if (kit == nullptr)
    return error{ec::invalid_argument,
                 fmt::format("Invalid requestor: {}", requestor)};
  if (mode == play_mode::solo) {
    if (requestor == "user")
      return error{ec::invalid_argument,
                   "User tool calls are not allowed in solo mode"};
    if (user_functions().find_tool(name) != nullptr) kit = &user_functions();
  }
  const telecom_function* tool = kit->find_tool(name);
  if (tool == nullptr)
    return error{ec::not_found, fmt::format("Tool '{}' not found.", name)};
  return kit->call(*tool, state, arguments);
}

result<void> initialise(telecom_state& state, const task& item) {
  const auto fail = [&](std::string_view what, const error& why) {
    return error{ec::environment,
                 fmt::format("task \"{}\": initialisation stopped at {}: {}",
                             item.id.value, what, why.message)};
  };
  if (const auto ok = sync_tools(state); !ok) return fail("sync", ok.error());
  for (const function_call& step : item.initialization) {
    const auto* kit = functions_of(step.env_type);
    const auto* function = kit == nullptr ? nullptr : kit->find(step.name);
    if (function == nullptr)
      return fail(step.name, {ec::not_found, "no such function"});
    const auto done = kit->call(*function, state, step.arguments);
    if (!done) return fail(call_text(step.name, step.arguments), done.error());
    if (const auto ok = sync_tools(state); !ok)
      return fail(call_text(step.name, step.arguments), ok.error());
  }
  return {};
}

bool matches_gold(const telecom_state& initial, const telecom_state& predicted,
                  const task_criteria& criteria) {
  telecom_state gold = initial;
  if (criteria.actions)
    for (const gold_action& action : *criteria.actions)
      // Failures are part of the gold state: the reference logs and goes on.
      (void)make_tool_call(gold, play_mode::with_user, action.requestor,
                           action.name, action.arguments);
  const auto same = [](const auto& a, const auto& b) {
    return model_text(a) == model_text(b);
  };
  return same(gold.accounts, predicted.accounts)
         && same(*gold.user, *predicted.user);
}

std::vector<bool> check_assertions(telecom_state predicted,
                                   const task_criteria& criteria) {
  std::vector<bool> met;
  if (!criteria.env_assertions) return met;
  for (const env_assertion& check : *criteria.env_assertions) {
    const auto* kit = functions_of(check.call.env_type);
    const auto* function =
        kit == nullptr ? nullptr : kit->find(check.call.name);
    bool holds = false;
    if (function != nullptr) {
      const auto verdict =
          kit->call(*function, predicted, check.call.arguments);
      const bool* value = verdict ? std::get_if<bool>(&*verdict) : nullptr;
      holds = value != nullptr && *value == check.expected
              && sync_tools(predicted).has_value();
    }
    met.push_back(holds);
  }
  return met;
}

environment_grade grade_environment(const telecom_state& initial,
                                    const telecom_state& predicted,
                                    const task_criteria& criteria) {
  if (!criteria.actions && !criteria.env_assertions) return {};
  telecom_state settled = predicted;
  // The reference syncs once more after the replay; should that fail, its
  // grading fails, and so do the assertions here.
  (void)sync_tools(settled);
  return {matches_gold(initial, settled, criteria),
          check_assertions(settled, criteria)};
}

telecom_environment::telecom_environment(telecom_state initial,
                                         const task& item, play_mode mode,
                                         std::shared_ptr<const void> keep_alive)
    : initial_(std::move(initial)), state_(initial_), task_(&item), mode_(mode),
      keep_alive_(std::move(keep_alive)) {}

const std::vector<tool_spec>& telecom_environment::tools() const {
  static const std::vector<tool_spec> both = tool_specs(true);
  static const std::vector<tool_spec> agent_only = tool_specs(false);
  return mode_ == play_mode::solo ? both : agent_only;
}

tool_result telecom_environment::call(std::string_view name,
                                      const json& arguments) {
  return call_as("assistant", name, arguments);
}

tool_result telecom_environment::call_as(std::string_view requestor,
                                         std::string_view name,
                                         const json& arguments) {
  calls_.push_back({std::string{requestor}, std::string{name}, arguments});
  auto value = make_tool_call(state_, mode_, requestor, name, arguments);
  if (!value) return {"Error: " + value.error().message, true};
  if (const auto ok = sync_tools(state_); !ok)
    return {"Error: " + ok.error().message, true};
  return {result_text(std::move(*value)), false};
}

result<grade_report> telecom_environment::grade() {
  grade_report report{.reward = 1, .parts = {}};
  if (!task_->criteria) return report;
  const task_criteria& criteria = *task_->criteria;
  const auto add = [&report](std::string name, bool met) {
    report.parts.push_back({std::move(name), met});
  };
  telecom_state settled = state_;
  (void)sync_tools(settled);
  const bool nothing_to_compare = !criteria.actions && !criteria.env_assertions;
  if (criteria.counts(reward_part::database))
    add("database matches",
        nothing_to_compare || matches_gold(initial_, settled, criteria));
  if (criteria.counts(reward_part::env_assertion)) {
    const auto met = check_assertions(settled, criteria);
    for (std::size_t i = 0; i < met.size(); ++i) {
      const env_assertion& check = (*criteria.env_assertions)[i];
      add(call_text(check.call.name, check.call.arguments)
              + (check.expected ? "" : " is false"),
          met[i]);
    }
  }
  if (criteria.counts(reward_part::action) && criteria.actions)
    add_action_parts(report, criteria, grade_actions(criteria, calls_));
  if (criteria.counts(reward_part::communicate)) {
    const auto list = grade_communication(criteria, messages_);
    for (std::size_t i = 0; i < list.met.size(); ++i)
      add("communicate " + criteria.communicate_info[i], list.met[i]);
  }
  const bool all = std::all_of(report.parts.begin(), report.parts.end(),
                               [](const grade_part& p) { return p.met; });
  report.reward = all ? 1 : 0;
  return report;
}

} // namespace brewery::tau2

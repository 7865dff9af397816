#include "envs/tau2/grading.hpp"

#include "base/text.hpp"
#include "envs/tau2/python_rules/python_text.hpp"

#include <algorithm>

namespace brewery::tau2 {

double check_list::reward() const {
  return std::all_of(met.begin(), met.end(), [](bool m) { return m; }) ? 1 : 0;
}

bool matches(const gold_action& gold, const recorded_call& call) {
  if (gold.name != call.name) return false;
  std::vector<std::string> keys;
  if (gold.compare_args)
    keys = *gold.compare_args;
  else if (call.arguments.is_object())
    for (const auto& [key, value] : call.arguments.items())
      keys.push_back(key);
  return std::all_of(keys.begin(), keys.end(), [&](const std::string& key) {
    const auto wanted = gold.arguments.find(key);
    const auto given = call.arguments.find(key);
    const bool in_gold = wanted != gold.arguments.end();
    const bool in_call = given != call.arguments.end();
    return in_gold == in_call && (!in_gold || py_equal(*wanted, *given));
  });
}

check_list grade_actions(const task_criteria& criteria,
                         const std::vector<recorded_call>& calls) {
  check_list list;
  if (!criteria.actions) return list;
  for (const gold_action& gold : *criteria.actions) {
    list.met.push_back(
        std::any_of(calls.begin(), calls.end(), [&](const recorded_call& call) {
          return matches(gold, call);
        }));
  }
  return list;
}

check_list grade_communication(const task_criteria& criteria,
                               const std::vector<std::string>& messages) {
  check_list list;
  for (const std::string& info : criteria.communicate_info) {
    const std::string wanted = lower(info);
    list.met.push_back(std::any_of(
        messages.begin(), messages.end(), [&](const std::string& message) {
          return replace_all(lower(message), ",", "").find(wanted)
                 != std::string::npos;
        }));
  }
  return list;
}

} // namespace brewery::tau2

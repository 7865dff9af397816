/// Restores the graders' findings in the reference's form from the parts of a
/// report, which are in the order in which grading adds them.

#include "envs/tau2/data/results_file.hpp"

#include <map>

namespace brewery::tau2 {

namespace {

double reward_of(bool met) {
  return met ? 1 : 0;
}

const char* tool_type(const domain& of, const gold_action& action) {
  const tool_spec* tool = find_tool(of, action.requestor, action.name);
  if (tool == nullptr) return nullptr;
  switch (tool->kind) {
  case tool_kind::read:
    return "read";
  case tool_kind::write:
    return "write";
  case tool_kind::generic:
    return "generic";
  case tool_kind::finish:
    return nullptr;
  }
  return nullptr;
}

/// Takes parts from the front of a report, grader by grader.
class part_reader {
public:
  explicit part_reader(const std::vector<grade_part>& parts) : parts_(parts) {}

  /// The next `count` verdicts, as one check each.
  template <class F>
  json take(std::size_t count, F check) {
    json list = json::array();
    for (std::size_t i = 0; i < count && next_ < parts_.size(); ++i) {
      const bool met = parts_[next_++].met;
      all_met_ = all_met_ && met;
      list.push_back(check(i, met));
    }
    return list;
  }

  /// The product of the parts taken since the last call.
  double product() { return reward_of(std::exchange(all_met_, true)); }

private:
  const std::vector<grade_part>& parts_;
  std::size_t next_ = 0;
  bool all_met_ = true;
};

json empty_reward(double reward, const char* note) {
  return {{"reward", reward},
          {"db_check", nullptr},
          {"env_assertions", nullptr},
          {"action_checks", nullptr},
          {"nl_assertions", nullptr},
          {"communicate_checks", nullptr},
          {"reward_basis", nullptr},
          {"reward_breakdown", nullptr},
          {"info", note == nullptr ? json(nullptr) : json{{"note", note}}}};
}

/// A member of the task's criteria by position; null if it does not exist.
json criterion(const json& raw, const char* list, std::size_t i) {
  const auto criteria = raw.find("evaluation_criteria");
  if (criteria == raw.end() || !criteria->is_object()) return nullptr;
  const auto at = criteria->find(list);
  return at == criteria->end() || !at->is_array() || i >= at->size()
             ? json(nullptr)
             : (*at)[i];
}

} // namespace

json results_reward(const domain& of, const task& item, const json& raw_task,
                    const rollout_result& rollout) {
  if (rollout.outcome != rollout_outcome::graded) return nullptr;
  if (!premature_ending(rollout.grade).empty())
    return empty_reward(0, "the conversation did not end properly");
  if (!item.criteria) return empty_reward(1, "the task has no criteria");
  const task_criteria& criteria = *item.criteria;
  json out = empty_reward(rollout.grade.reward, nullptr);
  out["reward_basis"] = json::array();
  for (const auto part : criteria.reward_basis)
    out["reward_basis"].push_back(to_string(part));
  json& breakdown = out["reward_breakdown"] = json::object();
  part_reader parts{rollout.grade.parts};
  const auto counted = [&](reward_part part, const char* member, json list) {
    if (!criteria.counts(part)) return;
    breakdown[std::string{to_string(part)}] = parts.product();
    out[member] = std::move(list);
  };
  const auto size = [&](reward_part part, std::size_t count) {
    return criteria.counts(part) ? count : 0;
  };
  const auto db = parts.take(
      size(reward_part::database, 1), [](std::size_t, bool met) -> json {
        return {{"db_match", met}, {"db_reward", reward_of(met)}};
      });
  counted(reward_part::database, "db_check",
          db.empty() ? json(nullptr) : db.front());
  counted(
      reward_part::env_assertion, "env_assertions",
      parts.take(
          size(reward_part::env_assertion,
               criteria.env_assertions ? criteria.env_assertions->size() : 0),
          [&](std::size_t i, bool met) -> json {
            return {{"env_assertion", criterion(raw_task, "env_assertions", i)},
                    {"met", met},
                    {"reward", reward_of(met)}};
          }));
  counted(reward_part::action, "action_checks",
          parts.take(size(reward_part::action,
                          criteria.actions ? criteria.actions->size() : 0),
                     [&](std::size_t i, bool met) -> json {
                       const auto* type = tool_type(of, (*criteria.actions)[i]);
                       return {{"action", criterion(raw_task, "actions", i)},
                               {"action_match", met},
                               {"action_reward", reward_of(met)},
                               {"tool_type",
                                type == nullptr ? json(nullptr) : json(type)}};
                     }));
  counted(reward_part::communicate, "communicate_checks",
          parts.take(
              size(reward_part::communicate, criteria.communicate_info.size()),
              [&](std::size_t i, bool met) -> json {
                return {{"info", criteria.communicate_info[i]},
                        {"met", met},
                        {"justification", ""}};
              }));
  counted(
      reward_part::nl_assertion, "nl_assertions",
      parts.take(size(reward_part::nl_assertion, criteria.nl_assertions.size()),
                 [&](std::size_t i, bool met) -> json {
                   return {{"nl_assertion", criteria.nl_assertions[i]},
                           {"met", met},
                           {"justification", ""}};
                 }));
  return out;
}

} // namespace brewery::tau2

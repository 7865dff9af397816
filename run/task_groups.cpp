#include "run/task_groups.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <map>

namespace brewery {

namespace {

void add_parts(task_parts& out, std::string_view text, char separator) {
  for (const auto part : split(text, separator))
    if (!part.empty()) out.parts.emplace_back(part);
}

/// The word before the first hyphen; empty if it has a digit.
std::string leading_word(std::string_view id) {
  const auto word = id.substr(0, id.find('-'));
  if (word.find_first_of("0123456789") != std::string_view::npos) return {};
  return std::string{word};
}

using tasks_by_name = std::map<std::string, std::vector<std::size_t>>;

double success_on(const arm_result& arm,
                  const std::vector<std::size_t>& tasks) {
  task_rewards rewards;
  for (const auto task : tasks)
    if (task < arm.record.rewards.size())
      rewards.push_back(arm.record.rewards[task]);
  return mean_reward(rewards);
}

std::vector<group_success> success_of(const std::vector<arm_result>& arms,
                                      const tasks_by_name& named) {
  const bool tells =
      named.size() > 1 && std::ranges::any_of(named, [](const auto& entry) {
        return entry.second.size() > 1;
      });
  std::vector<group_success> out;
  if (!tells) return out;
  for (const auto& [name, tasks] : named) {
    group_success group{name, tasks.size(), {}};
    for (const auto& arm : arms)
      group.success.push_back(success_on(arm, tasks));
    out.push_back(std::move(group));
  }
  return out;
}

} // namespace

task_parts parts_of_task(const task_id& task) {
  task_parts out;
  const std::string_view id = task.value;
  if (const auto end = id.find(']');
      id.starts_with('[') && end != std::string_view::npos) {
    out.group = id.substr(1, end - 1);
    const auto rest = id.substr(end + 1);
    add_parts(out, rest.substr(0, rest.find('[')), '|');
  } else if (const auto slash = id.find('/'); slash != std::string_view::npos) {
    out.group = id.substr(0, slash);
    add_parts(out, id.substr(id.rfind('/') + 1), '+');
  } else {
    out.group = leading_word(id);
  }
  return out;
}

std::vector<group_success>
success_by_group(const std::vector<arm_result>& arms) {
  tasks_by_name named;
  if (arms.empty()) return {};
  const auto& tasks = arms.front().record.tasks;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const auto group = parts_of_task(tasks[i]).group;
    if (group.empty()) return {};
    named[group].push_back(i);
  }
  return success_of(arms, named);
}

std::vector<group_success>
success_by_part(const std::vector<arm_result>& arms) {
  tasks_by_name named;
  if (arms.empty()) return {};
  const auto& tasks = arms.front().record.tasks;
  for (std::size_t i = 0; i < tasks.size(); ++i)
    for (const auto& part : parts_of_task(tasks[i]).parts)
      if (auto& list = named[part]; list.empty() || list.back() != i)
        list.push_back(i);
  return success_of(arms, named);
}

} // namespace brewery

#include "run/report/task_groups.hpp"

#include "base/text.hpp"
#include "run/report/report_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

namespace brewery {

namespace {

/// Rows of a table of groups: a page shall stay a page.
constexpr std::size_t group_rows_max = 30;

/// A letter of another script is a byte above 127.
bool has_letter(std::string_view text) {
  return std::ranges::any_of(text, [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c > 127;
  });
}

void add_parts(task_parts& out, std::string_view text, char separator) {
  for (const auto part : split(text, separator))
    if (has_letter(part)) out.parts.emplace_back(part);
}

/// The word before the first hyphen; empty if it has a digit.
std::string leading_word(std::string_view id) {
  const auto word = id.substr(0, id.find('-'));
  if (word.find_first_of("0123456789") != std::string_view::npos) return {};
  return std::string{word};
}

using tasks_by_name = std::map<std::string, std::vector<std::size_t>>;

void add_arm(group_success& group, const arm_result& arm,
             const std::vector<std::size_t>& tasks) {
  task_rewards all, graded;
  for (const auto task : tasks) {
    if (task >= arm.record.rewards.size()) continue;
    all.push_back(arm.record.rewards[task]);
    if (!all.back().empty()) graded.push_back(all.back());
  }
  group.success.push_back(graded.empty() ? std::nullopt
                                         : std::optional{mean_reward(graded)});
  group.unscored.push_back(count_unscored(all, arm.trials));
}

std::string success_text(const group_success& group, std::size_t arm) {
  if (!group.success[arm]) return "unknown";
  const auto& unscored = group.unscored[arm];
  return percent_text(*group.success[arm])
         + (unscored.count == 0 ? std::string{}
                                : fmt::format(" ({} no score)",
                                              percent_text(unscored.share())));
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
    group_success group{name, tasks.size(), {}, {}};
    for (const auto& arm : arms)
      add_arm(group, arm, tasks);
    out.push_back(std::move(group));
  }
  return out;
}

/// The groups with the most tasks, in order of name.
std::vector<group_success> largest(std::vector<group_success> groups) {
  std::ranges::stable_sort(groups, std::greater{}, &group_success::tasks);
  if (groups.size() > group_rows_max) groups.resize(group_rows_max);
  std::ranges::sort(groups, {}, &group_success::name);
  return groups;
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
  if (!has_letter(out.group)) out.group.clear();
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

std::string groups_text(const std::vector<arm_result>& arms,
                        const std::string& what,
                        const std::vector<group_success>& groups) {
  if (groups.empty()) return {};
  const auto score = score_name(arms);
  auto out =
      fmt::format("## {} by {}\n\n| {} | tasks |",
                  score == "success" ? "Success" : "Mean grade", what, what);
  std::string line = "|---|---|";
  for (const auto& arm : arms) {
    out += ' ' + markdown_cell(arm.record.name) + " |";
    line += "---|";
  }
  out += '\n' + line + '\n';
  for (const auto& group : largest(groups)) {
    out += fmt::format("| {} | {} |", markdown_cell(group.name), group.tasks);
    for (std::size_t arm = 0; arm < arms.size(); ++arm)
      out += ' ' + success_text(group, arm) + " |";
    out += '\n';
  }
  if (groups.size() > group_rows_max)
    out += fmt::format("\nNot shown: {} with the fewest tasks.\n",
                       counted(groups.size() - group_rows_max, "row"));
  return out + '\n';
}

} // namespace brewery

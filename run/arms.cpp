#include "run/arms.hpp"

#include "base/printable.hpp"
#include "base/terminal_text.hpp"
#include "base/text.hpp"
#include "messages/memory/comparator_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace brewery {

namespace {

/// Every terminal shows this many columns.
constexpr std::size_t table_width = 80;

/// Grades are products of 0s and 1s, or parts of a whole.
bool is_whole(double grade) {
  return grade < 1e-6 || grade > 1 - 1e-6;
}

std::string interval_text(const estimate& e) {
  return fmt::format("[{:.1f}, {:.1f}]{}", 100 * e.low, 100 * e.high,
                     e.kind == interval_kind::wilson ? "*" : "");
}

std::string difference_text(const arm_result& arm) {
  if (!arm.difference) return "unknown";
  return fmt::format("{:+.1f} {}", 100 * arm.difference->value,
                     interval_text(*arm.difference));
}

/// pass^1, pass^2, ... as columns; empty if tasks have one trial.
std::string pass_text(const std::vector<arm_result>& arms) {
  std::size_t most = 0;
  for (const auto& arm : arms)
    most = std::max(most, arm.pass_k.size());
  constexpr std::size_t per_table = 6;
  std::string out;
  for (std::size_t first = 0; most > 1 && first < most; first += per_table) {
    const auto end = std::min(most, first + per_table);
    std::vector<std::vector<std::string>> rows{{"knowledge base"}};
    for (std::size_t k = first; k < end; ++k)
      rows.front().push_back(fmt::format("pass^{}", k + 1));
    for (const auto& arm : arms) {
      rows.push_back({arm.record.name});
      for (std::size_t k = first; k < end; ++k)
        rows.back().push_back(
            k < arm.pass_k.size() ? percent_text(arm.pass_k[k]) : "-");
    }
    out += '\n' + table(rows);
  }
  return out;
}

std::string range_text(double low, double high) {
  return fmt::format("{:.1f} to {:.1f} %", 100 * low, 100 * high);
}

/// Between what each score lies, whatever the attempts without one are worth.
std::string unscored_text(const std::vector<arm_result>& arms) {
  std::size_t count = 0;
  std::vector<std::vector<std::string>> rows{
      {"knowledge base", "no score", "score if those are 0 to 1"}};
  for (const auto& arm : arms) {
    const auto& unscored = arm.unscored;
    count += unscored.count;
    rows.push_back({arm.record.name,
                    fmt::format("{} of {}", unscored.count, unscored.of),
                    range_text(unscored.lowest, unscored.highest)});
  }
  if (count == 0) return {};
  std::string paired;
  for (const auto& arm : arms)
    if (arm.difference && arm.difference->tasks < arm.record.tasks.size())
      paired += fmt::format(
          "{}: the difference is of the {} of {} tasks with a "
          "score in both rows\n",
          arm.record.name, arm.difference->tasks, arm.record.tasks.size());
  return fmt::format("{} no score (environment or model failed) and {} not "
                     "counted\n\n",
                     counted(count, "rollout")
                         + (count == 1 ? " has" : " have"),
                     count == 1 ? "is" : "are")
         + table(rows, table_width) + paired;
}

/// How the intervals of the table were made.
std::string interval_legend(const std::vector<arm_result>& arms) {
  const bool any = std::ranges::any_of(arms, [](const arm_result& arm) {
    return arm.success.kind == interval_kind::wilson
           || (arm.difference && arm.difference->kind == interval_kind::wilson);
  });
  return any ? "* tasks agree or are few: Wilson interval; the others: "
               "bootstrap over tasks\n"
             : "";
}

} // namespace

std::string learned_arm(std::string_view whose) {
  return fmt::format("learned, {}", whose);
}

std::string scored_arm(const config& options) {
  const auto& strategies = options.search.learned();
  if (!strategies.empty()) return learned_arm(strategies.front());
  const auto& baselines = options.eval.baselines;
  return baselines.empty() ? "no KB" : options.arm_of(baselines.back());
}

std::string uncounted_text(const std::vector<arm_result>& arms) {
  for (const auto& arm : arms)
    if (arm.record.name.starts_with(comparators::port))
      return fmt::format(
          "what the package of \"{}\" asks of language models by "
          "itself: its calls are no part of the cost",
          printable(arm.record.name));
  return {};
}

std::string percent_text(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

bool is_graded(const arm_result& arm) {
  return std::ranges::any_of(arm.record.rewards,
                             [](const auto& task) { return !task.empty(); });
}

std::string score_name(const std::vector<arm_result>& arms) {
  for (const auto& arm : arms)
    for (const auto& task : arm.record.rewards)
      if (!std::ranges::all_of(task, is_whole)) return "mean grade";
  return "success";
}

namespace {

task_rewards rewards_by_name(const evaluation_record& arm) {
  std::map<task_id, std::vector<double>> named;
  for (std::size_t i = 0; i < arm.tasks.size(); ++i)
    named.emplace(arm.tasks[i], arm.rewards[i]);
  task_rewards out;
  for (auto& [task, rewards] : named)
    out.push_back(std::move(rewards));
  return out;
}

} // namespace

std::vector<arm_result> compare_arms(const std::vector<evaluation_record>& arms,
                                     std::uint32_t trials) {
  std::vector<arm_result> out;
  task_rewards first;
  for (const auto& arm : arms) {
    const auto rewards = rewards_by_name(arm);
    arm_result item{.record = arm,
                    .success = estimate_mean(rewards, interval_seed),
                    .difference = {},
                    .pass_k = pass_hat_each(arm.rewards),
                    .unscored = count_unscored(arm.rewards, trials),
                    .trials = trials};
    if (out.empty()) {
      first = rewards;
    } else if (is_graded(item)) {
      // Unknown where no task has a score in both.
      if (auto paired = estimate_difference(rewards, first, interval_seed))
        item.difference = *paired;
    }
    out.push_back(std::move(item));
  }
  return out;
}

std::string checks_text(const std::vector<evaluation_record>& arms) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& arm : arms)
    for (const auto& check : arm.checks)
      rows.push_back({arm.name, single_line(check.name),
                      percent_text(static_cast<double>(check.met)
                                   / static_cast<double>(check.of)),
                      fmt::format("{} of {}", check.met, check.of)});
  if (rows.empty()) return {};
  rows.insert(rows.begin(),
              {"knowledge base", "check of every attempt", "met", ""});
  return table(rows, table_width);
}

namespace {

/// What arms of a learner took, one line each; of others nothing is known that
/// the table does not say.
std::string counts_text(const std::vector<arm_result>& arms) {
  std::string out;
  for (const auto& arm : arms) {
    std::vector<std::string> words;
    for (const auto& one : arm.record.counts)
      words.push_back(fmt::format("{} {}", one.count, one.what));
    if (!words.empty())
      out += fmt::format("{}: {}\n", arm.record.name, join(words, ", "));
  }
  return out.empty() ? out : "\nTaken\n" + out;
}

} // namespace

std::string arms_text(const std::vector<arm_result>& arms) {
  const auto& first = arms.front().record;
  const auto score = score_name(arms);
  std::vector<std::vector<std::string>> rows{{"knowledge base", score,
                                              "no score", "95 % interval",
                                              "paired difference"}};
  for (const auto& arm : arms)
    rows.push_back(
        {arm.record.name,
         is_graded(arm) ? percent_text(arm.success.value) : "unknown",
         percent_text(arm.unscored.share()),
         is_graded(arm) ? interval_text(arm.success) : "-",
         &arm == &arms.front() ? "-" : difference_text(arm)});
  auto out = fmt::format("{} on split '{}' ({}, {} each)\n\n",
                         score == "success" ? "Success" : "Mean grade",
                         first.split, counted(first.tasks.size(), "task"),
                         counted(arms.front().trials, "trial"))
             + table(rows, table_width) + interval_legend(arms)
             + pass_text(arms) + counts_text(arms) + unscored_text(arms);
  std::vector<evaluation_record> records;
  for (const auto& arm : arms)
    records.push_back(arm.record);
  const auto checks = checks_text(records);
  if (!checks.empty()) out += "\n" + checks;
  return out;
}

nlohmann::ordered_json checks_json(const std::vector<check_share>& checks) {
  auto out = nlohmann::ordered_json::array();
  for (const auto& one : checks)
    out.push_back({{"name", one.name}, {"met", one.met}, {"of", one.of}});
  return out;
}

nlohmann::ordered_json arm_json(const arm_result& arm) {
  nlohmann::ordered_json out{{"name", arm.record.name},
                             {"split", arm.record.split},
                             {"tasks", arm.record.tasks.size()}};
  // 0 of 0 is not 0 %: what is not known is null.
  const auto add = [&out](const char* value, const char* low, const char* high,
                          const std::optional<estimate>& known) {
    out[value] = out[low] = out[high] = nullptr;
    if (!known) return;
    out[value] = known->value;
    out[low] = known->low;
    out[high] = known->high;
  };
  add("success", "low", "high",
      is_graded(arm) ? std::optional{arm.success} : std::nullopt);
  add("difference", "difference_low", "difference_high", arm.difference);
  out["pass_k"] = arm.pass_k;
  out["ungraded"] = arm.unscored.count;
  out["ungraded_share"] = arm.unscored.share();
  out["success_lowest"] = arm.unscored.lowest;
  out["success_highest"] = arm.unscored.highest;
  if (is_graded(arm)) out["interval"] = to_string(arm.success.kind);
  if (arm.difference) {
    out["difference_interval"] = to_string(arm.difference->kind);
    out["difference_tasks"] = arm.difference->tasks;
  }
  for (const auto& one : arm.record.counts)
    out["counts"][one.what] = one.count;
  if (!arm.record.checks.empty())
    out["checks"] = checks_json(arm.record.checks);
  return out;
}

} // namespace brewery

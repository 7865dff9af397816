#include "run/evaluation/contribution.hpp"

#include "base/bootstrap.hpp"
#include "base/text.hpp"
#include "run/arms.hpp"
#include "run/report/report_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace brewery {

namespace {

constexpr std::string_view prefix = "without ";

} // namespace

std::string left_out_name(concept_id left_out) {
  return fmt::format("{}{}", prefix, left_out.value);
}

std::optional<concept_id> left_out_of(std::string_view arm) {
  if (!arm.starts_with(prefix)) return std::nullopt;
  arm.remove_prefix(prefix.size());
  const auto number = whole_number<std::uint32_t>(arm);
  return number ? std::optional{concept_id{*number}} : std::nullopt;
}

bool replaces(std::string_view arm, std::string_view other) {
  return arm == other || (left_out_of(other) && !left_out_of(arm));
}

std::optional<contribution> contribution_of(const evaluation_record& whole,
                                            const evaluation_record& without) {
  contribution out;
  if (const auto about = left_out_of(without.name)) out.about = *about;
  values_by_task with_it;
  for (std::size_t i = 0; i < whole.tasks.size(); ++i)
    if (!whole.rewards[i].empty())
      with_it.emplace(whole.tasks[i].value, mean(whole.rewards[i]));
  values_by_task less_it;
  for (std::size_t i = 0; i < without.tasks.size(); ++i)
    if (!without.rewards[i].empty())
      less_it.emplace(without.tasks[i].value, mean(without.rewards[i]));
  std::vector<double> with, less, differences;
  for (const auto& [task, reward] : less_it) {
    const auto found = with_it.find(task);
    if (found == with_it.end()) continue;
    with.push_back(found->second);
    less.push_back(reward);
    differences.push_back(with.back() - less.back());
  }
  if (differences.empty()) return std::nullopt;
  out.tasks = differences.size();
  out.with = mean(with);
  out.without = mean(less);
  out.difference = bootstrap_mean(differences, {-1, 1}, interval_seed);
  return out;
}

std::string contributions_text(std::vector<contribution> all) {
  if (all.empty()) return {};
  std::ranges::stable_sort(all, [](const auto& a, const auto& b) {
    return a.difference.value * static_cast<double>(a.tasks)
           > b.difference.value * static_cast<double>(b.tasks);
  });
  std::string out =
      "| document | sealed tasks that read it | with it | without it | paired "
      "difference |\n|---|---|---|---|---|\n";
  for (const auto& one : all)
    out +=
        fmt::format("| {} | {} | {} | {} | {:+.1f} [{:.1f}, {:.1f}]{} |\n",
                    markdown_cell(one.title), one.tasks, percent_text(one.with),
                    percent_text(one.without), 100 * one.difference.value,
                    100 * one.difference.low, 100 * one.difference.high,
                    one.difference.kind == interval_kind::wilson ? "*" : "");
  return out;
}

} // namespace brewery

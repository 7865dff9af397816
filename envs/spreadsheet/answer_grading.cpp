#include "envs/spreadsheet/answer_grading.hpp"

#include "base/file.hpp"
#include "envs/spreadsheet/ask_with_retry.hpp"
#include "envs/spreadsheet/scratch_file.hpp"
#include "messages/reusable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>

namespace brewery::spreadsheet {

namespace {

struct case_mark {
  case_grade grade;
  /// Functions of the answer whose values change with time or chance.
  std::vector<std::string> volatile_functions;
};

double reward_of(const std::vector<bool>& passed, metric score) {
  if (score == metric::first) return passed.front() ? 1 : 0;
  const auto met = std::count(passed.begin(), passed.end(), true);
  const auto all = static_cast<double>(passed.size());
  if (score == metric::soft) return static_cast<double>(met) / all;
  return met == static_cast<std::ptrdiff_t>(passed.size()) ? 1 : 0;
}

/// Writes a plain copy. The directory belongs to a process that runs no model's
/// code, so no link or pipe can be in its place.
result<void> write_copy(const std::filesystem::path& to,
                        const std::string& bytes) {
  std::ofstream out{to, std::ios::binary};
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out)
    return error{ec::environment, fmt::format("cannot write {}", to.string())};
  return {};
}

result<case_mark> mark(const play_rules& rules, const case_files& files,
                       const sheet_position& position,
                       const answer_file& answer) {
  case_mark out;
  if (!answer.lacking.empty()) {
    const comparison lacking{false, answer.lacking};
    out.grade = {lacking, lacking};
    return out;
  }
  const auto& services = *rules.services;
  const scratch_file copy{services.scratch};
  if (auto ok = write_copy(copy.path(), answer.content); !ok) return ok.error();
  auto grade = ask_with_retry([&] {
    return services.grader->grade(copy.path(), files.golden, position);
  });
  if (!grade) return grade.error();
  out.grade = std::move(*grade);
  if (!answer.computed) return out;
  auto facts = ask_with_retry(
      [&] { return services.grader->inspect(copy.path(), position); });
  if (!facts) return facts.error();
  out.volatile_functions = std::move(facts->volatile_functions);
  return out;
}

/// The answers come from outside: a case without an answer scores 0.
answer_file answer_to(const std::vector<answer_file>& answers,
                      std::uint32_t number) {
  for (const auto& one : answers)
    if (one.number == number) return one;
  return {number, false, "there is no answer", {}};
}

} // namespace

result<grade_report> grade_answers(const play_rules& rules,
                                   const sheet_task& task,
                                   const std::vector<answer_file>& answers) {
  const auto wanted = rules.how.score == metric::first ? 1U : rules.cases;
  grade_report out;
  std::vector<bool> passed;
  bool all_official = true, all_repaired = true;
  std::set<std::string> changing;
  for (std::uint32_t i = 0; i < wanted; ++i) {
    const auto name = fmt::format("case {}", i + 1);
    if (i >= task.cases.size()) {
      passed.push_back(false);
      all_official = all_repaired = false;
      out.parts.push_back({name + " has its workbooks", false});
      continue;
    }
    const auto& files = task.cases[i];
    auto graded = mark(rules, files, {task.position, task.sheet},
                       answer_to(answers, files.number));
    if (!graded) return graded.error();
    const auto& [official, repaired] = graded->grade;
    out.parts.push_back({name + ", official", official.passed});
    out.parts.push_back({name + ", repaired", repaired.passed});
    all_official = all_official && official.passed;
    all_repaired = all_repaired && repaired.passed;
    const bool by_repaired = rules.how.parser == position_parser::repaired;
    const auto& counts = by_repaired ? repaired : official;
    if (!counts.passed && !counts.why.empty())
      out.parts.push_back({name + ": " + counts.why, false});
    passed.push_back(counts.passed);
    changing.insert(graded->volatile_functions.begin(),
                    graded->volatile_functions.end());
  }
  if (wanted > 1) {
    out.parts.push_back({"all cases, official", all_official});
    out.parts.push_back({"all cases, repaired", all_repaired});
  }
  out.parts.push_back({std::string{repeatable_check}, changing.empty()});
  out.reward = reward_of(passed, rules.how.score);
  return out;
}

std::uint32_t official_cases_met(const grade_report& report) {
  return static_cast<std::uint32_t>(
      std::ranges::count_if(report.parts, [](const grade_part& part) {
        return part.met && part.name.starts_with("case ")
               && part.name.ends_with(", official");
      }));
}

} // namespace brewery::spreadsheet

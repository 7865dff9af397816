#pragma once
/// Grades the answers of an attempt: compares every case with its golden and
/// computes the reward by the metric. The trusted side of an episode: it runs
/// no code of an agent and needs no kernel.

#include "envs/spreadsheet/dataset.hpp"
#include "envs/spreadsheet/play_options.hpp"
#include "envs/spreadsheet/service_set.hpp"

namespace brewery::spreadsheet {

/// Shared by all rollouts of a benchmark.
struct play_rules {
  std::shared_ptr<const service_set> services;
  play_options how;
  std::uint32_t cases = 1; ///< that count; missing ones score 0
  std::string briefing;
};

/// Equal answers get equal grades. Errors: those of the grader.
result<grade_report> grade_answers(const play_rules& rules,
                                   const sheet_task& task,
                                   const std::vector<answer_file>& answers);

/// How many cases of a report the official comparison accepts.
std::uint32_t official_cases_met(const grade_report& report);

} // namespace brewery::spreadsheet

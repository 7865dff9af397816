#pragma once
/// From what an attempt left behind to its grade: every case compared with its
/// golden, the reward by the metric. The trusted side of an episode; it runs
/// nothing of an agent and needs no kernel.

#include "envs/spreadsheet/dataset.hpp"
#include "envs/spreadsheet/play_options.hpp"
#include "envs/spreadsheet/service_set.hpp"

namespace brewery::spreadsheet {

/// What all rollouts of a benchmark share.
struct play_rules {
  std::shared_ptr<const service_set> services;
  play_options how;
  std::uint32_t cases = 1; ///< a task is scored on; those it lacks are lost
  std::string briefing;
};

/// What the answers of one task may hold together: they travel in a message.
inline constexpr std::size_t answers_bytes_max = std::size_t{48} << 20;

/// The same answers have the same grade. Errors: the grader's.
result<grade_report> grade_answers(const play_rules& rules,
                                   const sheet_task& task,
                                   const std::vector<answer_file>& answers);

} // namespace brewery::spreadsheet

#pragma once
/// Why a task cannot be played or graded here. A refused task is in no split;
/// it is never played and scored 0. Pure.

#include "envs/osworld/tasks/task.hpp"

namespace brewery::osworld {

struct refusal {
  std::string kind; ///< few words, to count by: "Google account"
  std::string why;  ///< one line with what to do
};

/// What there is to grade with.
struct grading_means {
  bool official = false; ///< the official evaluators in a Python process
};

/// Empty: the task can be played.
std::optional<refusal> refusal_of(const desktop_task& task,
                                  const grading_means& means);

/// The step types that setup runs (setup/setup_engine.hpp).
bool is_setup_step(std::string_view type);

} // namespace brewery::osworld

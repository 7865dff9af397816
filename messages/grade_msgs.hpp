#pragma once
/// Answers on their way to whoever may score them. Who plays does not have what
/// answers are compared with; a grader has, and runs nothing of a model.

#include "messages/rollout_msgs.hpp"

namespace brewery {

/// Scores answers. `id` is the hash of the rest, so equal answers to a task are
/// graded once in a run, however many attempts made them.
struct grade_job {
  job_id id;
  task_id task;
  std::string goldens; ///< fingerprint of what they are compared with
  std::vector<answer_file> answers;
  BREWERY_FIELDS(grade_job, id, task, goldens, answers)
};

struct grade_result {
  job_id id;
  task_id task;
  grade_report grade;
  BREWERY_FIELDS(grade_result, id, task, grade)
};

job_id identity(const grade_job& job);

} // namespace brewery

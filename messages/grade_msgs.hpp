#pragma once
/// Answers and their grades. The worker that makes a rollout does not have the
/// goldens. A grader has them, and runs no code that a model wrote.

#include "messages/rollout_msgs.hpp"

namespace brewery {

/// Grades answers. `id` is the hash of the other members, so a run grades equal
/// answers to a task once, however many attempts left them.
struct grade_job {
  job_id id;
  task_id task;
  std::string goldens; ///< fingerprint of the goldens
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

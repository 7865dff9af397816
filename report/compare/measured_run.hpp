#pragma once
/// What a run measured on its sealed tasks, to stand beside other runs.

#include "base/bootstrap.hpp"
#include "messages/search_msgs.hpp"
#include "report/arm_rollouts.hpp"

#include <cstdint>
#include <string>

namespace brewery {

struct measured_run {
  std::string name; ///< its folder's name
  std::uint64_t seed = 0;
  std::string benchmark;    ///< "tau2-telecom"
  std::string data;         ///< hash of its data: equal ones have equal tasks
  std::uint32_t trials = 0; ///< planned attempts per task
  evaluation_record arm;    ///< of the documents that are compared
};

/// `arm` as in `find_arm`, whose errors these are.
result<measured_run> measured_run_in(const evaluated_run& run,
                                     const std::string& arm);

/// Mean grade of each task; tasks without a graded attempt are left out.
values_by_task grades_of(const evaluation_record& arm);

/// By task: `a` minus `b`, where both have a value.
values_by_task differences_of(const values_by_task& a, const values_by_task& b);

} // namespace brewery

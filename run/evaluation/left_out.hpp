#pragma once
/// The arms of a leave-one-out evaluation (run/contribution.hpp), from what the
/// attempts with all documents were shown.

#include "run/run_executor.hpp"
#include "store/run_directory.hpp"

#include <vector>

namespace brewery {

/// One arm for each document that an attempt was shown, limited to the tasks of
/// these attempts. `whole` is the arm of all documents, which is in the run's
/// log.
result<std::vector<evaluation_arm>>
left_out_arms(const run_directory& run, const evaluation_arm& whole,
              const std::vector<learner_task>& tasks, std::uint32_t trials);

} // namespace brewery

#pragma once
/// What points of a sweep have in common whatever their trees do: first
/// rollouts, root documents and the test without documents, which one of them
/// plays. Later rollouts may be shared too, and are not counted. PURE.

#include "run/setup/estimate.hpp"

#include <string>

namespace brewery {

struct shared_start {
  std::string key; ///< points with equal ones begin alike
  job_counts jobs; ///< of the run's: its learning, testing and integrations
};

/// `concepts` as for `count_jobs`.
shared_start shared_start_of(const config& options, const task_counts& tasks,
                             const range& concepts);

/// What two of the same key need: of each kind, what one of them does.
void keep_most(job_counts& of, const job_counts& other);

} // namespace brewery

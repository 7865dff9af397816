#pragma once
/// What models were asked for the jobs of a run. Runs of a sweep play a job
/// that they have in common once, and its calls are on the record of the one
/// that played it (docs/sweeps.md, "What is shared"); so what a run would have
/// cost alone is found on the records of all.

#include "cluster/ledger/job_memo.hpp"
#include "report/model_calls.hpp"

#include <memory>

namespace brewery {

struct job_spend {
  model_calls asked; ///< by this run, for whatever job
  std::vector<job_id>
      unasked; ///< jobs with a result for which it asked nothing
};

/// Of a run whose log has the results of `known`. Error: as of its recording.
result<job_spend> job_spend_of(const std::filesystem::path& run,
                               const memo_content& known);

/// For each run, in order, what others of them were asked for its jobs. Runs of
/// which nothing is known are null. A job that several were asked counts as in
/// the first of them.
std::vector<model_use>
spent_by_others(const std::vector<std::shared_ptr<const job_spend>>& runs);

} // namespace brewery

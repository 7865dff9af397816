#pragma once
/// What a run on record used of language models, for an estimate of another.

#include "run/setup/estimate.hpp"
#include "run/setup/problem.hpp"

#include <filesystem>

namespace brewery {

task_counts count_tasks(const problem& what);

/// Calls and tokens per job, by role; roles without calls are left out. The
/// fewer jobs were measured, the wider the range of calls. Tokens that the
/// server of a role did not count are assumed. `path` is the run's directory.
/// Its data must still exist; programs that load its tasks are those of `own`.
/// Error ec::invalid_argument: the run is not finished, or its tasks come from
/// a program and those of `own` do not.
result<std::map<std::string, role_use>>
measured_use(const std::filesystem::path& path, const environment_options& own);

} // namespace brewery

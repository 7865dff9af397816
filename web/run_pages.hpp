#pragma once
/// Runs and one run as JSON, for the web page.

#include "web/paging.hpp"
#include "web/run_shelf.hpp"

namespace brewery::web {

/// A page of the runs, newest first.
result<json> runs_json(run_shelf& shelf, const page& asked);

/// The overview of a run, with `progress`: of each search and iteration the
/// mean reward of the published versions.
result<json> run_json(run_shelf& shelf, const std::string& id);

} // namespace brewery::web

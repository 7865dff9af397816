#pragma once
/// Sweeps as JSON, for the web page: the numbers, tables and charts of
/// `brewery report SWEEP`, made by the same code.

#include "web/paging.hpp"
#include "web/run_shelf.hpp"

namespace brewery::web {

/// A page of the sweeps, with the states of their runs.
result<json> sweeps_json(const run_shelf& shelf, const page& asked);

/// Of a sweep a page of its points ("points"), its charts or its tables. While
/// runs are still to be read, it has only "reading", how far it is: asking
/// again goes on. Error ec::not_found.
result<json> sweep_json(run_shelf& shelf, const std::string& id,
                        const std::string& what, const page& asked);

} // namespace brewery::web

#pragma once
/// A run's state and rewards as JSON, for `brewery runs --json` and the web
/// page. PURE.

#include "base/json.hpp"
#include "report/run_overview.hpp"

namespace brewery {

json overview_json(const run_overview& run);

} // namespace brewery

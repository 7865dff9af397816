#pragma once
/// What a simulated cluster asks of its coordinator, as shares of what there
/// is.

#include "sim/scale/scale_sim.hpp"

namespace brewery::simulated {

/// CPU seconds of a part of the coordinator, measured and priced.
double message_seconds(const scale_traffic& traffic,
                       const scale_prices& prices);
double table_seconds(const scale_traffic& traffic);
double log_seconds(const scale_traffic& traffic, const scale_prices& prices);

/// Fills `loads` and `slots_carried`.
void add_loads(scale_report& out, const scale_options& options);

} // namespace brewery::simulated

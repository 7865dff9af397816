#pragma once
/// A search on simulated work without a cluster: the phases and the trees, each
/// job answered at once.

#include "sim/coordinator_node.hpp"

namespace brewery::simulated {

/// Barriers close with the trees late that `gathers` say.
final_state retraced(const brew_settings& settings,
                     const std::vector<gather_record>& gathers);

} // namespace brewery::simulated

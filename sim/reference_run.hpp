#pragma once
/// Runs a search on simulated work without a cluster: the phases and the trees,
/// with each job answered at once.

#include "sim/search_node.hpp"

namespace brewery::simulated {

/// At each barrier, the trees are late that `gathers` names.
final_state reference_run(const brew_settings& settings,
                          const std::vector<gather_record>& gathers);

} // namespace brewery::simulated

#pragma once
/// Runs an engine's own programs, one after the other.

#include "cli/cluster_up/engine.hpp"

#include <chrono>

namespace brewery {

/// What the program wrote on standard output. It has the variables of this
/// process without BREWERY_CONNECT, BREWERY_KEY and BREWERY_SERVER_KEY, which
/// are an operator's. Errors: ec::not_found, there is no such program here;
/// ec::io with its last words if its exit status is not 0; ec::timeout.
result<std::string>
run_engine(const engine_command& command,
           std::chrono::seconds patience = std::chrono::seconds{180});

} // namespace brewery

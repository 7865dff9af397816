#pragma once
/// Checks of a cluster address: `tcp://host:port` or `ipc://path`.

#include "base/result.hpp"

#include <string>

namespace brewery {

/// Error ec::invalid_argument: the address has neither form.
result<void> check_endpoint(const std::string& address);

/// True if the address can only be reached from this machine.
bool is_local_endpoint(const std::string& address);

} // namespace brewery

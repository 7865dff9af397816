#pragma once
/// What a cluster address says: `tcp://host:port` or `ipc://path`.

#include "base/result.hpp"

#include <string>

namespace brewery {

/// ec::invalid_argument when it is neither of both.
result<void> check_endpoint(const std::string& address);

/// Whether nobody outside this machine can reach it.
bool is_local_endpoint(const std::string& address);

} // namespace brewery

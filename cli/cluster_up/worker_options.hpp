#pragma once
/// The options that `brewery cluster up` gives to the workers that it starts.

#include "cli/operator/connection.hpp"

namespace brewery {

/// `words` as they were given after `--`, with the coordinator's address if
/// they name none. An operator's key is no worker's. Errors, all
/// ec::invalid_argument: `brewery worker` would refuse them, or they name what
/// `cluster up` decides.
result<std::vector<std::string>>
worker_options(std::vector<std::string> words, const std::string& engine,
               const connection_arguments& operators);

} // namespace brewery

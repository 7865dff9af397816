#pragma once
/// Which models of the catalog a configuration's roles use. Pure.

#include "config/config.hpp"

#include <string>
#include <vector>

namespace brewery {

/// Names of the catalog, each once, in the order of the roles.
std::vector<std::string> models_used(const config& options);

} // namespace brewery

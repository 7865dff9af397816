#pragma once
/// Finds the models of the catalog that a configuration's roles use. Pure.

#include "config/config.hpp"

#include <map>
#include <string>
#include <vector>

namespace brewery {

/// Names in the catalog, without repetition, in the order of the roles.
std::vector<std::string> models_used(const config& options);

/// Of these, the ones that rollouts without reflection ask.
std::vector<std::string> models_playing(const config& options);

/// And the ones that rollouts with reflection ask.
std::vector<std::string> models_reflecting(const config& options);

/// The models of all roles that complete texts, whether used or not.
std::vector<role_model*> role_models(config& options);

/// The name in the catalog by role, for the roles that use a model.
std::map<std::string, std::string> models_by_role(const config& options);

} // namespace brewery

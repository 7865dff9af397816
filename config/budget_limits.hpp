#pragma once
/// Turns the options of `[budget]` into limits. Pure.

#include "base/result.hpp"
#include "llm/accounts/budget.hpp"
#include "llm/options.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace brewery {

/// The roles that call models, with their names in limits and recordings.
const std::vector<std::string>& model_roles();

/// Parses "integrator cost_usd=5 calls=200" into a role and its limits. Error
/// ec::malformed says what is wrong.
result<std::pair<std::string, spending>>
parse_role_limit(const std::string& text);

/// The limits of a checked configuration.
budget make_budget(const budget_options& options);

} // namespace brewery

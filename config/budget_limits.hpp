#pragma once
/// `[budget]` as limits. Pure.

#include "base/result.hpp"
#include "llm/budget.hpp"
#include "llm/options.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace brewery {

/// The roles that call models, as limits and recordings name them.
const std::vector<std::string>& model_roles();

/// "integrator cost_usd=5 calls=200" as a role and its limits; ec::malformed
/// says what is wrong with it.
result<std::pair<std::string, spending>>
parse_role_limit(const std::string& text);

/// The limits of a checked configuration.
budget make_budget(const budget_options& options);

} // namespace brewery

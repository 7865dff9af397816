#pragma once
/// What estimates of a run and of a sweep have in common: prices, how many
/// concepts there may be, and figures as text.

#include "base/result.hpp"
#include "run/setup/estimate.hpp"

#include <map>
#include <string>
#include <vector>

namespace brewery {

/// By role. Models without a price are added to `unpriced`. Errors: those of
/// the catalog.
result<std::map<std::string, token_price>>
prices_by_role(const config& options, std::vector<std::string>& unpriced);

/// Without a measured run: from few concepts to one per other train task, or as
/// many as one rollout may have topics if those are more; at most
/// search.max_concepts.
range possible_concepts(const config& options, const task_counts& tasks);

/// Rollouts that this machine plays side by side.
std::size_t jobs_at_once(const config& options);

std::string count_text(const range& value); ///< "452 to 1440"
std::string large_text(const range& value); ///< "1.2 k to 3.40 M"
std::string money_text(const range& value); ///< "$1.20 to $8.40"
std::string time_text(double seconds);      ///< "12 min"

} // namespace brewery

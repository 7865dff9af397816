#pragma once
/// Runs beside each other as JSON, for the web page: what `brewery compare`
/// says, and the grades by task that it is made from.

#include "web/paging.hpp"
#include "web/run_shelf.hpp"

namespace brewery::web {

struct compare_request {
  std::string words; ///< with spaces between: RUN, NAME=RUN,RUN,... or SWEEP
  std::string arm;   ///< as in `find_arm`
};

/// With a page of the tasks, by name. Each has the mean grade of every
/// contender, or null, and its difference to the first one's.
result<json> compare_json(const run_shelf& shelf, const compare_request& wanted,
                          const page& asked);

} // namespace brewery::web

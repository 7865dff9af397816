#pragma once
/// Reads what a search decided from the log: the barriers that were closed, the
/// concepts that dropped out. PURE.

#include "base/result.hpp"
#include "messages/search_msgs.hpp"

#include <map>
#include <string>

namespace brewery {

/// The key under which a search's barrier is recorded.
std::string gather_key(const std::string& strategy, std::uint32_t iteration);

/// What the keys of a tree's records begin with; the iteration follows.
std::string tree_prefix(const std::string& strategy, concept_id tree);

/// What the key of a search's dropped concept begins with; its id follows.
std::string dropped_prefix(const std::string& strategy);

/// The records of one search, by iteration. `decisions` comes from job_memo:
/// kind/key -> payload. Error ec::corrupt names a record that cannot be read.
result<std::vector<gather_record>>
gathers_on_record(const std::map<std::string, std::string>& decisions,
                  const std::string& strategy);

/// The concepts of one search that dropped out, by id. The error is the same.
result<std::vector<dropped_concept>>
dropped_on_record(const std::map<std::string, std::string>& decisions,
                  const std::string& strategy);

} // namespace brewery

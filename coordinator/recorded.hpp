#pragma once
/// Reads the barriers that were closed before a resume from the log. PURE.

#include "base/result.hpp"
#include "messages/search_msgs.hpp"

#include <map>
#include <string>

namespace brewery {

/// The key under which a search's barrier is recorded.
std::string gather_key(const std::string& strategy, std::uint32_t iteration);

/// The records of one search, by iteration. `decisions` comes from job_memo:
/// kind/key -> payload. Error ec::corrupt names a record that cannot be read.
result<std::vector<gather_record>>
gathers_on_record(const std::map<std::string, std::string>& decisions,
                  const std::string& strategy);

} // namespace brewery

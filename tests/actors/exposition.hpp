#pragma once
/// Reads what `/metrics` says.

#include "actors/process_metrics.hpp"

#include <sstream>
#include <string>

namespace brewery {

/// The value of one series, as the text says it, or "none".
inline std::string value_of(const process_metrics& metrics,
                            const std::string& series) {
  std::istringstream lines{metrics.exposition()};
  for (std::string line; std::getline(lines, line);)
    if (line.rfind(series + " ", 0) == 0) return line.substr(series.size() + 1);
  return "none";
}

} // namespace brewery

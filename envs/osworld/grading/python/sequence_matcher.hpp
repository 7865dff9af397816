#pragma once
/// difflib.SequenceMatcher(None, a, b).ratio() over lines, with its heuristic
/// for popular elements. Pure. Source: Python 3.11, difflib.

#include <string>
#include <vector>

namespace brewery::osworld {

/// [0, 1]; 1 for two empty sequences.
double sequence_ratio(const std::vector<std::string>& a,
                      const std::vector<std::string>& b);

} // namespace brewery::osworld

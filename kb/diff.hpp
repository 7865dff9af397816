#pragma once
/// Line differences between texts, in the unified format of `patch`. Pure.

#include <cstddef>
#include <string>
#include <string_view>

namespace brewery {

/// A shortest edit script (longest common subsequence of lines) with `context`
/// equal lines around each change. Empty if the texts are equal. Above about 25
/// million line pairs, the diff replaces everything between the common head and
/// the common tail instead.
std::string unified_diff(std::string_view before, std::string_view after,
                         std::string_view before_name,
                         std::string_view after_name, std::size_t context = 3);

} // namespace brewery

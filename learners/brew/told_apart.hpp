#pragma once
/// What tells two sentences apart that vectors find alike. Pure.

#include <string_view>

namespace brewery {

/// False if the words tell the sentences apart: other text in backticks, other
/// numbers, a negation or an opposite in one of them, a word exchanged in the
/// same place, or the same words in another order.
bool may_be_equal(std::string_view a, std::string_view b);

} // namespace brewery

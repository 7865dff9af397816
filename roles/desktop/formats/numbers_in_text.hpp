#pragma once
/// The decimal numbers in a text, in order. Pure.

#include <string_view>
#include <vector>

namespace brewery::desktop {

/// "<point>10 20.5</point>" -> 10, 20.5. A '-' belongs to a number only if no
/// digit is before it. At most `most`.
std::vector<double> numbers_in(std::string_view text, std::size_t most = 8);

} // namespace brewery::desktop

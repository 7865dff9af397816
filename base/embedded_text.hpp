#pragma once
/// A text file embedded at compile time (brewery_embed in cmake/), so the
/// program needs no files of its own at run time.

#include <string_view>

namespace brewery {

struct embedded_text {
  std::string_view name; ///< file name without folder and extension
  std::string_view text;
};

} // namespace brewery

#pragma once
/// A text file that is compiled in (brewery_embed in cmake/), so that the
/// program needs no files of its own at run time.

#include <string_view>

namespace brewery {

struct embedded_text {
  std::string_view name; ///< of the file, without folder and extension
  std::string_view text;
};

} // namespace brewery

#pragma once
/// Text from outside as a part of a line of a document that an agent follows:
/// one line, and no call in it. PURE.

#include "base/printable.hpp"
#include "base/text.hpp"

#include <string>
#include <string_view>

namespace brewery {

/// Without backticks, which mark what is to be called.
inline std::string quoted_line(std::string_view text, std::size_t bytes_max) {
  return replace_all(single_line(text, bytes_max), "`", "'");
}

} // namespace brewery

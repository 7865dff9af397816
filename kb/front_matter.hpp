#pragma once
/// The block of `key: value` lines between two `---` lines on top of a Markdown
/// file. What we write is YAML that every tool reads; what we read is the part
/// of YAML people write there: scalars, comments, and nested lines, which are
/// skipped. The rest of the file is the body, byte for byte.

#include "base/result.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

struct front_matter {
  struct item {
    std::string key;
    std::string value;    ///< unquoted
    std::size_t line = 0; ///< 1-based
  };
  std::vector<item> items; ///< in file order
  std::string body;

  /// The value of a key; nothing when absent.
  std::optional<std::string> find(std::string_view key) const;
};

/// A file without front matter is all body. Error ec::malformed names `file`
/// and line: a block that is not closed, a line that is no `key: value`, a key
/// given twice, text that is not UTF-8.
result<front_matter> parse_front_matter(std::string_view text,
                                        std::string_view file);

/// A YAML double-quoted scalar, on one line.
std::string yaml_quoted(std::string_view text);

} // namespace brewery

#pragma once
/// Front matter: the block of `key: value` lines between two `---` lines at the
/// top of a Markdown file. Brewery writes YAML that every tool can read. It
/// reads the part of YAML that people write there: scalars and comments. Nested
/// lines are skipped. The rest of the file is the body, byte for byte.

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

  /// The value of a key. Empty if the key is absent.
  std::optional<std::string> find(std::string_view key) const;
};

/// Parses a file. A file without front matter is all body. Error ec::malformed:
/// a block without an end, a line that is not `key: value`, a repeated key, or
/// text that is not UTF-8. The message names `file` and the line.
result<front_matter> parse_front_matter(std::string_view text,
                                        std::string_view file);

/// Text as a YAML double-quoted scalar on one line.
std::string yaml_quoted(std::string_view text);

} // namespace brewery

#pragma once
/// How a line of a document reads, whoever wrote it: models and people mark
/// sections and lists in several ways. For exports. PURE.

#include <cstddef>
#include <optional>
#include <string_view>

namespace brewery {

/// The title of a line that opens a section, and the rest of that line: "##
/// When to use", "**When to use**: with no signal".
struct section_opening {
  std::string_view title;
  std::string_view rest;
};

/// Empty: the line opens no section. Bold words that a sentence goes on after
/// open none, but where a colon says so.
std::optional<section_opening> opening_of(std::string_view line);

/// The text behind the mark of a list, "- " or "2. "; empty: the line has none.
std::string_view listed(std::string_view line);

/// Where lines are code, in which "# " begins a comment.
class code_blocks {
public:
  explicit code_blocks(std::string_view body);

  /// To be asked of each line in turn: whether it begins or ends a block.
  bool marks(std::string_view line);
  [[nodiscard]] bool inside() const { return inside_; }

private:
  std::size_t marks_left_ = 0;
  bool inside_ = false;
};

} // namespace brewery

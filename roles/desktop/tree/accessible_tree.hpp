#pragma once
/// The accessibility tree of a desktop as OSWorld's guests send it: AT-SPI
/// roles as tags, states and boxes as attributes. Read without a library of
/// XML, because only tags, attributes and text are of use; a guest may send
/// anything, so the size and the depth are limited. Pure.

#include "base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace brewery::desktop {

struct box_px {
  std::int32_t x = 0, y = 0, width = 0, height = 0;
  bool operator==(const box_px&) const = default;
};

/// One node. Its parent stands before it.
struct accessible {
  static constexpr std::uint32_t none = ~0U;

  std::string tag;  ///< the role: "push-button"
  std::string name; ///< may be empty
  std::string text; ///< what it contains; may be empty
  std::uint32_t parent = none;
  std::uint32_t application = none; ///< the node above it that is one
  bool showing = false;             ///< visible, with a box on the screen
  bool enabled = false;
  bool focused = false;
  bool checked = false;
  bool selected = false;
  bool expanded = false;
  bool active = false; ///< of a window
  bool editable = false;
  box_px box{};
};

struct accessible_tree {
  std::vector<accessible> nodes; ///< in the order of the document
};

struct tree_limits {
  std::size_t bytes = std::size_t{32} << 20;
  std::size_t nodes = 50'000;
  std::size_t depth = 128;
};

/// Nodes beyond the limits are left out. Error ec::malformed: it is too large,
/// or its tags do not fit together.
result<accessible_tree> read_accessible_tree(std::string_view xml,
                                             const tree_limits& limits = {});

} // namespace brewery::desktop

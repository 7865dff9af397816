#pragma once
/// What an agent without a language model sees of a screen: which application
/// is in front, and the elements that it can act on. Knows AT-SPI's roles, no
/// application. Pure.

#include "roles/desktop/formats/smart_resize.hpp"
#include "roles/desktop/tree/accessible_tree.hpp"

#include <optional>
#include <string>
#include <vector>

namespace brewery::desktop {

struct screen_element {
  std::string label; ///< "push-button OK": role and name
  std::string tag, name;
  point middle;
  bool text_field = false; ///< takes what is typed
  bool focused = false;
  /// Of an item that is not on the screen: the showing menu to open first.
  std::optional<point> opener;
  std::string opener_label;
};

/// What a screen without windows has in front.
inline constexpr const char* no_application = "none";

struct screen_view {
  std::string application; ///< of the active window; empty: none
  /// "application: gimp", "dialog: Save Image"; "application: none"
  std::vector<std::string> lines;
  std::vector<screen_element> elements; ///< in the order of the tree
};

/// Elements of other applications' windows are left out, of those with the same
/// label all but the first, and menus whose items are in the tree.
screen_view view_of(const accessible_tree& tree);

} // namespace brewery::desktop

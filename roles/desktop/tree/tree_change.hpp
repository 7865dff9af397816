#pragma once
/// What an action changed on the screen, in words, from the accessibility trees
/// before and after it. Reflection reads it in place of the pixels. Pure.

#include "roles/desktop/tree/accessible_tree.hpp"

#include <string>

namespace brewery::desktop {

struct change_limits {
  std::size_t lines = 40;      ///< of each kind; the rest is counted
  std::size_t text_bytes = 80; ///< of a name or a text
};

/// What people see of a node: push-button "OK", and its state if it has one:
/// check-box "Ruler" (checked). Empty for one without a name and a text.
std::string shown_node(const accessible& node, std::size_t text_bytes = 80);

/// One line for each node that is new, gone, or has another state or text:
///   + menu-item "Save As..."
///   - dialog "Print"
///   * check-menu-item "Ruler": (checked)
/// "(nothing changed)" if there is none.
std::string tree_change(const accessible_tree& before,
                        const accessible_tree& after,
                        const change_limits& limits = {});

/// The nodes that are showing, one a line: tag, name, text, position and size,
/// apart by tabs, for a model that acts by them. Cut at a line's end.
std::string tree_listing(const accessible_tree& tree,
                         std::size_t most_bytes = 40'000);

} // namespace brewery::desktop

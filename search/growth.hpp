#pragma once
/// How far the trees of a search grew, for reports. Pure.

#include "messages/search_msgs.hpp"

#include <algorithm>
#include <map>

namespace brewery {

/// Whether the tree drew candidates in this iteration.
inline bool drew_candidates(const expand_report& tree) {
  return tree.added + tree.dropped > 0;
}

struct tree_growth_figures {
  std::size_t expansions = 0; ///< iterations of single trees that drew
  std::size_t versions = 0;   ///< with the first ones
  std::uint32_t depth = 0;    ///< of the deepest version; a first one has 0
  std::size_t width = 0;      ///< the most children of a version

  /// Of a barrier, with those that were late for the one before.
  void add(const gather_record& closed) {
    for (const auto* part : {&closed.folded, &closed.reports})
      expansions += static_cast<std::size_t>(
          std::ranges::count_if(*part, drew_candidates));
  }
  /// Of a whole tree.
  void add(const std::vector<node_record>& tree) {
    std::map<node_id, std::size_t> children;
    versions += tree.size();
    for (const auto& version : tree) {
      depth = std::max(depth, version.depth);
      if (version.id != version.parent)
        width = std::max(width, ++children[version.parent]);
    }
  }
  void add(const tree_growth_figures& other) {
    expansions += other.expansions;
    versions += other.versions;
    depth = std::max(depth, other.depth);
    width = std::max(width, other.width);
  }
};

} // namespace brewery

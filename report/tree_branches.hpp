#pragma once
/// A search tree as lines for a terminal. PURE.

#include "report/search_trees.hpp"

#include <string>
#include <vector>

namespace brewery {

/// A version with the branch that leads to it: "|  `- ".
struct tree_branch {
  const node_record* version = nullptr; ///< of the tree
  std::string lead;
};

/// The deepest level whose branches are drawn. A chain of versions is as deep
/// as it is long, so drawing all of it would take the square of its length.
inline constexpr std::size_t branch_levels_max = 64;

/// Each version above those that change it, these in id order. Of versions that
/// are deeper than the deepest level, `lead` is that level's with their depth:
/// "... 70: ". Of a whole tree (`is_whole`).
std::vector<tree_branch> branches_of(const search_tree& tree);

} // namespace brewery

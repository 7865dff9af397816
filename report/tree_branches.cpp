#include "report/tree_branches.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

/// A version that is still to be written.
struct open_branch {
  std::size_t version = 0; ///< its index, which is its id
  std::size_t level = 0;
  bool last = true;  ///< of those with its parent
  std::string below; ///< what stands before its parent's other versions
};

std::string lead_of(const open_branch& at) {
  if (at.level == 0) return {};
  const auto* fork = at.last ? "`- " : "|- ";
  return at.level <= branch_levels_max
             ? at.below + fork
             : fmt::format("{}... {}: ", at.below, at.level);
}

/// What stands before the versions below.
std::string below_of(const open_branch& at) {
  if (at.level == 0 || at.level >= branch_levels_max) return at.below;
  return at.below + (at.last ? "   " : "|  ");
}

} // namespace

std::vector<tree_branch> branches_of(const search_tree& tree) {
  std::vector<std::vector<std::size_t>> children(tree.nodes.size());
  for (std::size_t i = 1; i < tree.nodes.size(); ++i)
    children[tree.nodes[i].parent.value].push_back(i);
  std::vector<tree_branch> out;
  out.reserve(tree.nodes.size());
  // A stack of its own: the program's would not hold a long chain.
  std::vector<open_branch> open;
  if (!tree.nodes.empty()) open.push_back({});
  while (!open.empty()) {
    const auto at = std::move(open.back());
    open.pop_back();
    out.push_back({&tree.nodes[at.version], lead_of(at)});
    const auto& own = children[at.version];
    for (auto i = own.size(); i-- > 0;)
      open.push_back({own[i], at.level + 1, i + 1 == own.size(), below_of(at)});
  }
  return out;
}

} // namespace brewery

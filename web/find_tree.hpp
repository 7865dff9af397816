#pragma once
/// The tree that an address names by its strategy and concept. PURE.

#include "base/result.hpp"
#include "report/search_trees.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace brewery::web {

/// No concept: none of the trees. Error ec::not_found.
inline result<const search_tree*>
find_tree(const std::vector<search_tree>& trees, const std::string& strategy,
          std::optional<concept_id> about) {
  const auto found = std::ranges::find_if(trees, [&](const auto& one) {
    return one.strategy == strategy && about == one.about.id;
  });
  if (found == trees.end())
    return error{ec::not_found, "the run has no such tree"};
  return &*found;
}

} // namespace brewery::web

#pragma once
/// Trees for tests: nodes named by a number, rewards given by hand.

#include "base/rng.hpp"
#include "search/selection.hpp"

#include <optional>
#include <string>

namespace brewery::test {

inline doc_hash hash_of(std::uint64_t number) {
  return {"doc" + std::to_string(number)};
}

inline evaluation scored(double reward, const std::string& id = "first") {
  return {{id}, reward, reward, reward, 1};
}

/// Adds a child with a fresh document and evaluates it.
inline node_id grow(tree& searched, node_id parent, double reward) {
  const auto made =
      searched.add_child(parent, hash_of(1000 + searched.size()), 1);
  searched.absorb(made.id, scored(reward));
  return made.id;
}

inline tree evaluated_root(double reward, tree_limits limits = {}) {
  tree out{hash_of(0), limits};
  out.absorb(tree::root(), scored(reward));
  return out;
}

/// A tree of `size` nodes with random shape; not yet evaluated.
inline tree random_shape(rng& draw, std::size_t size, tree_limits limits) {
  tree out{hash_of(0), limits};
  while (out.size() < size && out.at(tree::root()).open) {
    const node_id parent{static_cast<std::uint32_t>(draw.below(out.size()))};
    if (out.can_expand(parent))
      out.add_child(parent, hash_of(draw.below(4 * size)), 1);
  }
  return out;
}

/// The first expansion of an iteration.
inline std::optional<expansion>
select_expansion(const tree& searched, const search_options& options) {
  const auto all = select_expansions(searched, options);
  return all.empty() ? std::nullopt : std::optional{all.front()};
}

} // namespace brewery::test

#include "search/selection.hpp"

#include "base/error.hpp"
#include "search/uct.hpp"

#include <algorithm>
#include <cmath>

namespace brewery {

namespace {

/// Children are in id order, so a strict comparison breaks ties by id.
node_id best_open_child(const tree& searched, const node& parent,
                        double exploration) {
  const double log_visits =
      std::log(static_cast<double>(std::max(parent.visits, 1u)));
  const node* best = nullptr;
  double best_bound = 0;
  for (const node_id id : parent.children) {
    const node& child = searched.at(id);
    if (!child.open) continue;
    const double bound =
        uct(child.value(), child.visits, log_visits, exploration);
    if (best == nullptr || bound > best_bound) {
      best = &child;
      best_bound = bound;
    }
  }
  BREWERY_ASSERT(best != nullptr);
  return best->id;
}

std::optional<node_id> best_in_subtree(const tree& searched, node_id top) {
  if (searched.can_expand(top)) return top;
  const node* best = nullptr;
  const auto better = [](const node& a, const node& b) {
    if (a.evaluated() != b.evaluated()) return a.evaluated();
    return a.reward > b.reward;
  };
  // Parents come before children in the arena: one pass marks the subtree.
  std::vector<bool> inside(searched.size());
  inside[top.value] = true;
  for (std::size_t i = top.value + 1; i < searched.size(); ++i) {
    const node& item = searched.nodes()[i];
    inside[i] = inside[item.parent.value];
    if (inside[i] && searched.can_expand(item.id)
        && (best == nullptr || better(item, *best)))
      best = &item;
  }
  if (best == nullptr) return std::nullopt;
  return best->id;
}

/// The best node with anything left to expand below it; the root if none is
/// evaluated.
node_id best_open(const tree& searched) {
  const node* best = nullptr;
  for (const auto& item : searched.nodes())
    if (item.open && item.evaluated()
        && (best == nullptr || item.reward > best->reward))
      best = &item;
  return best == nullptr ? tree::root() : best->id;
}

/// From the lowest to the highest own reward; 1 where all are the same.
double reward_range(const tree& searched) {
  std::optional<double> low, high;
  for (const auto& item : searched.nodes()) {
    if (!item.evaluated()) continue;
    low = std::min(low.value_or(item.reward), item.reward);
    high = std::max(high.value_or(item.reward), item.reward);
  }
  return low && *high > *low ? *high - *low : 1;
}

double exploration_of(const tree& searched, const search_options& options) {
  return options.exploration
         * (options.exploration_by_range ? reward_range(searched) : 1);
}

std::optional<node_id> choose(const tree& searched,
                              const search_options& options) {
  switch (options.how) {
  case strategy::mcts:
    return descend(searched, exploration_of(searched, options));
  case strategy::greedy:
    return best_in_subtree(searched, best_open(searched));
  case strategy::iterative: {
    const node_id newest = searched.nodes().back().id;
    if (searched.can_expand(newest)) return newest;
    return std::nullopt;
  }
  }
  return std::nullopt;
}

} // namespace

std::optional<node_id> descend(const tree& searched, double exploration) {
  if (!searched.at(tree::root()).open) return std::nullopt;
  node_id id = tree::root();
  while (!searched.can_expand(id))
    id = best_open_child(searched, searched.at(id), exploration);
  return id;
}

std::optional<expansion> select_expansion(const tree& searched,
                                          const search_options& options) {
  const auto id = choose(searched, options);
  if (!id) return std::nullopt;
  const std::uint32_t wanted =
      options.how == strategy::iterative ? 1 : options.candidates;
  return expansion{*id, std::min(wanted, searched.room(*id)),
                   searched.at(*id).drawn};
}

} // namespace brewery

#include "search/selection.hpp"

#include "base/error.hpp"
#include "search/uct.hpp"

#include <algorithm>
#include <cmath>

namespace brewery {

namespace {

/// Children are in id order, so a strict comparison breaks ties by id.
node_id best_open_child(const virtual_loss& seen, node_id parent,
                        double exploration) {
  const double log_visits =
      std::log(static_cast<double>(std::max(seen.visits(parent), 1u)));
  std::optional<node_id> best;
  double best_bound = 0;
  for (const node_id id : seen.real().at(parent).children) {
    if (!seen.open(id)) continue;
    const double bound =
        uct(seen.value(id), seen.visits(id), log_visits, exploration);
    if (!best || bound > best_bound) {
      best = id;
      best_bound = bound;
    }
  }
  BREWERY_ASSERT(best.has_value());
  return *best;
}

/// The UCT descent: stops at the first node that can be expanded.
std::optional<node_id> descend(const virtual_loss& seen, double exploration) {
  if (!seen.open(tree::root())) return std::nullopt;
  node_id id = tree::root();
  while (!seen.can_expand(id))
    id = best_open_child(seen, id, exploration);
  return id;
}

std::optional<node_id> best_in_subtree(const virtual_loss& seen, node_id top) {
  if (seen.can_expand(top)) return top;
  const auto& searched = seen.real();
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
    if (inside[i] && seen.can_expand(item.id)
        && (best == nullptr || better(item, *best)))
      best = &item;
  }
  if (best == nullptr) return std::nullopt;
  return best->id;
}

/// The best node with anything left to expand below it; the root if none is
/// evaluated.
node_id best_open(const virtual_loss& seen) {
  const node* best = nullptr;
  for (const auto& item : seen.real().nodes())
    if (seen.open(item.id) && item.evaluated()
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

std::optional<node_id> choose(const virtual_loss& seen,
                              const search_options& options) {
  const auto& searched = seen.real();
  switch (options.how) {
  case strategy::mcts:
    return descend(seen, exploration_of(searched, options));
  case strategy::greedy:
    return best_in_subtree(seen, best_open(seen));
  case strategy::iterative: {
    const node_id newest = searched.nodes().back().id;
    if (seen.can_expand(newest)) return newest;
    return std::nullopt;
  }
  }
  return std::nullopt;
}

std::optional<expansion> next_expansion(const virtual_loss& seen,
                                        const search_options& options) {
  const auto id = choose(seen, options);
  if (!id) return std::nullopt;
  const std::uint32_t wanted =
      options.how == strategy::iterative ? 1 : options.candidates;
  return expansion{*id, std::min(wanted, seen.room(*id)), seen.drawn(*id)};
}

} // namespace

std::optional<node_id> descend(const tree& searched, double exploration) {
  return descend(virtual_loss{searched}, exploration);
}

std::vector<expansion> select_expansions(const tree& searched,
                                         const search_options& options) {
  const std::size_t most =
      options.how == strategy::iterative ? 1 : options.expansions;
  std::vector<expansion> out;
  virtual_loss seen{searched};
  while (out.size() < most) {
    const auto next = next_expansion(seen, options);
    if (!next) break;
    out.push_back(*next);
    if (out.size() < most) seen.add(*next);
  }
  return out;
}

} // namespace brewery

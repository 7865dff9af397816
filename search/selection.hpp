#pragma once
/// Selects the nodes of a tree to expand next and the numbers of candidates
/// (BREW, arXiv:2511.20297, algorithm 1 line 15, and the two other strategies
/// of the paper's ablation). A pure function of the tree: equal trees give
/// equal choices.
///
/// Width and depth. A node can be expanded while it has fewer than max_width
/// children and its depth is below max_depth. An expansion draws min(h, width
/// left) candidates. So, if all candidates are new:
///   - h = 3, max_width = 3 (the defaults): one expansion fills a node. The
///     next iteration expands the best of its children. A tree of depth 3 has
///     1 + 3 + 9 = 13 expandable nodes, more than the 10 iterations.
///   - h = 3, max_width = 10: the same node is expanded 4 times, with 3, 3, 3
///     and 1 candidates, before any node below it: width before depth.
///   - h > max_width, or fill_width: the same as h = max_width.
///
/// mcts: descends from the root by UCT and stops at the first expandable node.
///   With exploration_by_range c is scaled to the rewards seen in the tree.
///   It passes through full nodes and skips subtrees that cannot be expanded.
/// greedy: of the nodes whose subtree can still grow, takes the one with the
///   highest own reward and selects it if it can be expanded itself. Otherwise
///   it selects the expandable node with the highest own reward in its subtree
///   (unevaluated nodes last, ties by lower id). So a best node at max_depth
///   does not end the search: the next-best one goes on.
/// iterative: selects the newest node with one candidate, whatever its reward.
///   No width limit; max_depth applies only with iterative_keeps_depth.
///
/// Several expansions in one iteration are chosen one after the other, each
/// with the earlier ones counted as virtual losses (virtual_loss.hpp):
///   - mcts: the losses lower the bounds on the paths that are taken.
///   - greedy: the best node with room, then the next best.
///   - iterative: one, because each version refines the one before.
/// A node with room for more is chosen again, with later draws. There are fewer
/// expansions where no room is left.
///
/// The tree must have been created with `limits_of(options)`.

#include "search/options.hpp"
#include "search/virtual_loss.hpp"

#include <optional>

namespace brewery {

/// Those of one iteration, in the order of choice: at most options.expansions,
/// and none if no node of the tree can be expanded any more.
std::vector<expansion> select_expansions(const tree& searched,
                                         const search_options& options);

/// The UCT descent of `mcts`. Empty if no node can be expanded any more.
std::optional<node_id> descend(const tree& searched, double exploration);

} // namespace brewery

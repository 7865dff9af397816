#pragma once
/// Which node of a tree to expand next, and with how many candidates
/// (papers/000, algorithm 1 line 15, and the ablation's two other strategies).
/// A pure function of the tree: equal trees give equal choices.
///
/// Width and depth. A node can be expanded while it has fewer than max_width
/// children and its depth is below max_depth. An expansion draws min(h, width
/// left) candidates, so, if all of them are new,
///   - h = 3, max_width = 3 (the defaults): one expansion fills a node; the
///     next iteration goes below the best of its children. A tree of depth 3
///     has 1 + 3 + 9 = 13 expandable nodes, more than the 10 iterations;
///   - h = 3, max_width = 10: the same node is expanded 4 times, with 3, 3, 3
///     and 1 candidates, before anything below it: width before depth;
///   - h > max_width: the same as h = max_width.
///
/// mcts: descend from the root by UCT and stop at the first expandable node; a
///   full node is descended through, and a subtree with nothing expandable in
///   it is not entered.
/// greedy: the best node (tree::best) if it can be expanded, else the
///   expandable node of the highest own reward in its subtree (unevaluated
///   last, ties by lower id). Nothing when that subtree is used up.
/// iterative: the newest node with one candidate, whatever its reward. No width
///   limit; max_depth holds only if search_options::iterative_keeps_depth.
///
/// The tree must have been made with `limits_of(options)`.

#include "search/options.hpp"

#include <optional>

namespace brewery {

struct expansion {
  node_id node;
  std::uint32_t candidates = 0; ///< at least 1, at most the width left
  std::uint32_t first_draw = 0; ///< number of the first: draws never repeat
};

/// Nothing: no node of this tree may be expanded any more.
std::optional<expansion> select_expansion(const tree& searched,
                                          const search_options& options);

/// The UCT descent alone, for `mcts`. Nothing when the tree is used up.
std::optional<node_id> descend(const tree& searched, double exploration);

} // namespace brewery

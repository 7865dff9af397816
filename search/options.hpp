#pragma once
/// The options of a search over one concept's tree. The defaults are those of
/// the paper (BREW, arXiv:2511.20297, A.2): h = 3, width 3, depth 3, lambdas
/// 0.5 and 0.5. The paper gives no UCT constant. UCB1's sqrt(2), for rewards
/// from 0 to 1, fills a tree level by level; bench/uct_study_bench shows what a
/// smaller one, scaled to the rewards seen, gains in deep and in wide trees.

#include "base/result.hpp"
#include "search/reward.hpp"
#include "search/tree.hpp"

#include <cstdint>
#include <string_view>

namespace brewery {

enum class strategy : std::uint8_t {
  mcts = 0,      ///< UCT over the whole tree
  greedy = 1,    ///< only in the subtree of the best node
  iterative = 2, ///< one path: refine the newest version
};

std::string_view to_string(strategy value);

/// Error ec::invalid_argument: an unknown name. The message lists the choices
/// and the nearest one.
result<strategy> parse_strategy(std::string_view text);

struct search_options {
  /// As `candidates`: all that the width leaves, so one expansion fills a node.
  static constexpr std::uint32_t fill_width = tree_limits::unlimited;

  strategy how = strategy::mcts;
  std::uint32_t candidates = 3; ///< h: drawn per expansion, at least 1
  std::uint32_t expansions = 1; ///< nodes expanded in an iteration, at least 1
  std::uint32_t max_width = 3;  ///< maximum number of children of a node
  std::uint32_t max_depth = 3;  ///< maximum depth of a node; the root is 0
  double exploration = 0.25;    ///< c of UCT, at least 0
  /// Multiplies c by the range of the rewards in the tree, which is often a
  /// third of that from 0 to 1.
  bool exploration_by_range = true;
  /// The paper limits the iterative strategy only by its number of refinements.
  /// If true, max_depth limits it as well.
  bool iterative_keeps_depth = false;
  /// Without selection: the newest version counts as the best one.
  bool publish_newest = false;
  reward_weights weights;

  bool operator==(const search_options&) const = default;
};

/// Error ec::invalid_argument: an option is out of range. The message names the
/// option, its value and its range.
result<void> validate(const search_options& options);

/// The limits of a tree under this strategy. `iterative` has no width limit,
/// and no depth limit unless iterative_keeps_depth is set.
tree_limits limits_of(const search_options& options);

} // namespace brewery

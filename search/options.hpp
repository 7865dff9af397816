#pragma once
/// What a search over one concept's tree may be told. Defaults are the paper's
/// (papers/000, A.2): h = 3, width 3, depth 3, lambda 0.5/0.5; the UCT constant
/// is not given there, sqrt(2) is UCB1's own.

#include "base/result.hpp"
#include "search/reward.hpp"
#include "search/tree.hpp"
#include "search/uct.hpp"

#include <cstdint>
#include <string_view>

namespace brewery {

enum class strategy : std::uint8_t {
  mcts = 0,      ///< UCT over the whole tree
  greedy = 1,    ///< only inside the subtree of the best node
  iterative = 2, ///< one path: refine the newest version, no alternatives
};

std::string_view to_string(strategy value);

/// Error ec::invalid_argument names the choices and the nearest one.
result<strategy> parse_strategy(std::string_view text);

struct search_options {
  strategy how = strategy::mcts;
  std::uint32_t candidates = 3;         ///< h: drawn per expansion, at least 1
  std::uint32_t max_width = 3;          ///< children of one node
  std::uint32_t max_depth = 3;          ///< of a node; the root is 0
  double exploration = uct_exploration; ///< c of UCT, at least 0
  /// The paper bounds the iterative strategy by its number of refinements
  /// only. True holds it to max_depth as well.
  bool iterative_keeps_depth = false;
  reward_weights weights;
};

/// Error ec::invalid_argument names the member, its value and its range.
result<void> validate(const search_options& options);

/// The bounds of a tree under this strategy. `iterative` has no width, as one
/// path needs none, and, unless asked, no depth.
tree_limits limits_of(const search_options& options);

} // namespace brewery

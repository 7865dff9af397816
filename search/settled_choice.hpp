#pragma once
/// The choice of what to expand in a tree with bounded nodes (bounds.hpp).
///
/// The choice is the one that `select_expansions` would make if every node were
/// fully evaluated. Where it hangs on a reward of which only bounds are known,
/// nothing is chosen: `open` names the nodes to evaluate further, and then it
/// is asked again. So a stopped evaluation is taken up again as late as
/// possible, mostly never, and no choice ever rests on a bound. A chosen node
/// is fully evaluated, because its score is told to the integrator.
///
/// UCT compares mean + c range bonus. Means grow with every reward of their
/// subtree, and the range lies between bounds, so two children are compared at
/// both ends of both. What is closer than `choice_margin` counts as undecided,
/// which covers rounding.

#include "search/selection.hpp"

#include <vector>

namespace brewery {

inline constexpr double choice_margin = 1e-9;

struct settled_choice {
  std::vector<expansion> chosen; ///< only if `open` is empty
  std::vector<node_id> open;     ///< bounded nodes, ascending
};

settled_choice select_settled(const tree& searched,
                              const search_options& options);

} // namespace brewery

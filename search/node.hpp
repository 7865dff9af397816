#pragma once
/// A node of one concept's tree: a document version, named by its hash, and its
/// statistics. Owned by `tree`, which recomputes the derived members.

#include "messages/search_msgs.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace brewery {

/// A challenger replaces the published version unless it was worse: equal
/// rewards confirm it, since its search score was better. Without a reward it
/// is refused, and one without a reward beats nobody.
inline bool is_confirmed(const confirmation& made) {
  return !made.reward.empty()
         && (made.against.empty()
             || made.reward.front() >= made.against.front());
}

/// Identifies the work behind an evaluation, for example by the hash of the
/// hybrid knowledge base and the queries. Equal ids mean equal work, so a
/// second evaluation under the same id is not counted.
using evaluation_id = strong_id<struct evaluation_tag, std::string>;

/// One evaluation of a document (BREW, arXiv:2511.20297, algorithm 5): full, or
/// stopped because the document could not become the best of its tree
/// (bounds.hpp), or probably was not (racing.hpp).
struct evaluation {
  evaluation_id id;
  double reward = 0;           ///< R
  double correctness = 0;      ///< R_corr
  double retrieval = 0;        ///< R_ret
  std::uint32_t evaluated = 0; ///< number of graded rollouts behind R_corr
  /// Set: it was stopped. The three numbers above are the most that they can
  /// be, and this is the least that R can be.
  std::optional<double> least{};
  /// Set: it lost a race (racing.hpp) of this error. The numbers above are
  /// estimates from what it played, and nothing completes them.
  std::optional<double> raced{};
};

struct node {
  node_id id;
  node_id parent; ///< the root is its own parent
  doc_hash hash;
  std::uint32_t iteration = 0; ///< that created it; 0 for the root
  std::uint32_t depth = 0;     ///< the root is 0
  /// Number of candidates drawn below it, including dropped ones.
  std::uint32_t drawn = 0;
  std::vector<node_id> children;       ///< ascending
  std::vector<evaluation> evaluations; ///< of this node, ordered by id
  /// When it would have replaced the published version, oldest first.
  std::vector<confirmation> challenges;

  // Derived from the members above and from the children; see tree.hpp.
  double reward = 0;      ///< mean R over own evaluations
  double correctness = 0; ///< mean R_corr over own evaluations
  double retrieval = 0;   ///< mean R_ret over own evaluations
  double least = 0;       ///< below `reward` only if it is bounded
  double total = 0;       ///< sum of `reward` over the subtree
  /// Number of evaluated nodes in the subtree, with this one.
  std::uint32_t visits = 0;
  bool open = false; ///< the subtree has a node that can be expanded

  bool evaluated() const { return !evaluations.empty(); }

  /// It lost its last challenge.
  bool refused() const {
    return !challenges.empty() && !is_confirmed(challenges.back());
  }

  /// `reward` is only an upper bound: an evaluation was stopped.
  bool bounded() const {
    return std::any_of(evaluations.begin(), evaluations.end(),
                       [](const auto& one) { return one.least.has_value(); });
  }

  /// `reward` is an estimate: it lost a race against a sibling.
  bool raced() const {
    return std::any_of(evaluations.begin(), evaluations.end(),
                       [](const auto& one) { return one.raced.has_value(); });
  }

  /// Mean back-propagated reward, which UCT uses; 0 without visits.
  double value() const {
    return visits == 0 ? 0.0 : total / static_cast<double>(visits);
  }
};

} // namespace brewery

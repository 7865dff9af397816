#pragma once
/// A node of one concept's tree: a document version, named by its hash, and its
/// statistics. Owned by `tree`, which recomputes the derived members.

#include "base/ids.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace brewery {

/// Identifies the work behind an evaluation, for example by the hash of the
/// hybrid knowledge base and the queries. Equal ids mean equal work, so a
/// second evaluation under the same id is not counted.
using evaluation_id = strong_id<struct evaluation_tag, std::string>;

/// One full evaluation of a document (BREW, arXiv:2511.20297, algorithm 5).
struct evaluation {
  evaluation_id id;
  double reward = 0;           ///< R
  double correctness = 0;      ///< R_corr
  double retrieval = 0;        ///< R_ret
  std::uint32_t evaluated = 0; ///< number of graded rollouts behind R_corr
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

  // Derived from the members above and from the children; see tree.hpp.
  double reward = 0;      ///< mean R over own evaluations
  double correctness = 0; ///< mean R_corr over own evaluations
  double retrieval = 0;   ///< mean R_ret over own evaluations
  double total = 0;       ///< sum of `reward` over the subtree
  /// Number of evaluated nodes in the subtree, with this one.
  std::uint32_t visits = 0;
  bool open = false; ///< the subtree has a node that can be expanded

  bool evaluated() const { return !evaluations.empty(); }

  /// Mean back-propagated reward, which UCT uses; 0 without visits.
  double value() const {
    return visits == 0 ? 0.0 : total / static_cast<double>(visits);
  }
};

} // namespace brewery

#pragma once
/// A node of one concept's tree: a document version, by hash, with what was
/// measured on it. Owned by `tree`, which keeps the derived members in step.

#include "base/ids.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace brewery {

/// What one evaluation was measured on: equal ids mean equal work (say, the
/// hash of the hybrid knowledge base and of the queries), so a second one under
/// the same id is the same sample and is not counted again.
using evaluation_id = strong_id<struct evaluation_tag, std::string>;

/// One full evaluation of a document (papers/000, algorithm 5).
struct evaluation {
  evaluation_id id;
  double reward = 0;           ///< R
  double correctness = 0;      ///< R_corr
  double retrieval = 0;        ///< R_ret
  std::uint32_t evaluated = 0; ///< graded rollouts behind R_corr
};

struct node {
  node_id id;
  node_id parent; ///< the root is its own parent
  doc_hash hash;
  std::uint32_t iteration = 0; ///< when it was made; the root in 0
  std::uint32_t depth = 0;     ///< the root is 0
  std::uint32_t drawn = 0; ///< candidates drawn below it, dropped ones included
  std::vector<node_id> children;       ///< ascending
  std::vector<evaluation> evaluations; ///< its own, ordered by id

  // Derived from the members above and from the children; see tree.hpp.
  double reward = 0;        ///< mean R over own evaluations
  double correctness = 0;   ///< mean R_corr over own evaluations
  double retrieval = 0;     ///< mean R_ret over own evaluations
  double total = 0;         ///< sum of `reward` over the subtree
  std::uint32_t visits = 0; ///< evaluated nodes in the subtree, itself included
  bool open = false;        ///< something in the subtree can be expanded

  bool evaluated() const { return !evaluations.empty(); }

  /// Mean back-propagated reward, the mean of UCT; 0 without visits.
  double value() const {
    return visits == 0 ? 0.0 : total / static_cast<double>(visits);
  }
};

} // namespace brewery

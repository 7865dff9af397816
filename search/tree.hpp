#pragma once
/// The search tree of one concept: an arena of document versions. It stores
/// hashes, never texts. Owned by one tree actor. Pure.
///
/// Back-propagation (BREW, arXiv:2511.20297, algorithm 4 line 20): the reward
/// of a node counts for the node and every ancestor. The tree uses the
/// idempotent form,
///
///   visits(n) = [n evaluated] + sum of visits(child)
///   total(n)  = [n evaluated] * R(n) + sum of total(child)
///   value(n)  = total(n) / visits(n)
///
/// recomputed from the children in id order, on the path to the root. So a late
/// or duplicate result cannot corrupt a value, and the bits do not depend on
/// the order of arrival.
///
/// Width counts children. A candidate that is dropped because its document is
/// in the tree already uses no width. The known insights grow between
/// iterations, so another draw may give a new document. The number of
/// iterations limits the number of draws.

#include "base/result.hpp"
#include "search/node.hpp"

#include <cstddef>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

namespace brewery {

struct tree_limits {
  static constexpr std::uint32_t unlimited =
      std::numeric_limits<std::uint32_t>::max();
  std::uint32_t max_width = 3; ///< maximum number of children of a node
  std::uint32_t max_depth = 3; ///< maximum depth of a node; the root is 0
  bool newest_is_best = false; ///< for `best()`
};

class tree {
public:
  tree(doc_hash root, tree_limits limits);

  /// A tree of nodes as `nodes()` had them; of each, only the parent, the hash,
  /// the iteration, the draws, the evaluations and the challenges are read.
  /// Error ec::corrupt: they form no tree within the limits.
  static result<tree> restored(const std::vector<node>& nodes,
                               tree_limits limits);

  struct added {
    node_id id;          ///< the new node, or the one with this document
    bool created = true; ///< false: dropped, identical to node `id`
  };

  /// Adds a candidate drawn below `parent`, which must be expandable.
  added add_child(node_id parent, doc_hash hash, std::uint32_t iteration);

  /// A candidate that was never written. Its number is not drawn again: where
  /// nothing new was learned since, that would be the same job.
  void note_lost_draw(node_id parent);

  /// Stores an evaluation of a node and back-propagates it. It replaces one of
  /// the same id that was stopped. Returns false, without a change, if the node
  /// has a full evaluation with this id. Numbers must be finite.
  bool absorb(node_id id, evaluation measured);

  /// Puts another full evaluation in the place of those of a fully evaluated
  /// node, and back-propagates it.
  void replace(node_id id, evaluation measured);

  /// Notes how a challenge of the published version ended.
  void note_challenge(node_id id, const confirmation& made);

  /// Takes back a stopped evaluation: in the end it has no score. Any other
  /// stays.
  void withdraw(node_id id, const evaluation_id& stopped);

  const node& at(node_id id) const;
  const std::vector<node>& nodes() const { return nodes_; }
  std::size_t size() const { return nodes_.size(); }
  const tree_limits& limits() const { return limits_; }
  static constexpr node_id root() { return {0}; }

  /// The node with this document.
  std::optional<node_id> find(const doc_hash& hash) const;

  /// Width left below a node: 0 if it is full or at max_depth.
  std::uint32_t room(node_id id) const;
  bool can_expand(node_id id) const { return room(id) > 0; }

  /// This tree with the least rewards of bounded nodes in place of the most.
  [[nodiscard]] tree lowest() const;

  /// The fully evaluated node with the highest own reward that was not refused
  /// (node::refused) and lost no race; empty if there is none. Ties go to the
  /// lower id: the earlier version has fewer refinements, so it is simpler. A
  /// search in which no change was better returns the root. With
  /// newest_is_best: the newest evaluated node.
  std::optional<node_id> best() const;

private:
  std::uint32_t room(const node& item) const;
  void refresh(node& item) const;
  void refresh_path(node_id id);

  tree_limits limits_;
  std::vector<node> nodes_; ///< index = id; parents precede children
  std::unordered_map<doc_hash, node_id> by_hash_;
};

} // namespace brewery

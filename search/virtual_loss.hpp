#pragma once
/// A tree as the later choices of one iteration see it (Chaslot, Winands, van
/// den Herik: Parallel Monte-Carlo tree search, 2008: virtual loss). An
/// expansion that is chosen but not scored yet counts as if its candidates were
/// there and each had brought the lowest reward seen so far:
///
///   visits'(n) = visits(n) + c(n)
///   value'(n)  = (total(n) + c(n) L) / visits'(n)
///   drawn'(n)  = drawn(n) + d(n)
///   room'(n)   = room(n) - d(n)
///   open'(n)   = room'(n) > 0, or a child of n is open'
///
/// d(n) is the number of candidates that are chosen to be drawn below n itself,
/// c(n) that of the whole subtree, and L the lowest own reward of an evaluated
/// node (0 without one). So no node gets more than its width, and a path that
/// was chosen is worth less to the next choice.
///
/// The tree itself is not changed: what is virtual ends with this object.

#include "search/tree.hpp"

namespace brewery {

struct expansion {
  node_id node;
  std::uint32_t candidates = 0; ///< at least 1, at most the width left
  /// Number of the first candidate; numbers never repeat.
  std::uint32_t first_draw = 0;

  bool operator==(const expansion&) const = default;
};

class virtual_loss {
public:
  /// `real` must outlive this and must not change.
  explicit virtual_loss(const tree& real) : tree_(real) {}

  /// Counts an expansion that is chosen. Its candidates must fit into the room.
  void add(const expansion& chosen);

  [[nodiscard]] const tree& real() const { return tree_; }
  [[nodiscard]] std::uint32_t visits(node_id id) const;
  [[nodiscard]] double value(node_id id) const;
  [[nodiscard]] std::uint32_t drawn(node_id id) const;
  [[nodiscard]] std::uint32_t room(node_id id) const;
  [[nodiscard]] bool can_expand(node_id id) const { return room(id) > 0; }
  [[nodiscard]] bool open(node_id id) const;

private:
  struct loss {
    std::uint32_t drawn = 0;  ///< d(n)
    std::uint32_t visits = 0; ///< c(n)
    bool closed = false;      ///< by what is chosen
  };

  [[nodiscard]] bool has_open(const node& item) const;

  const tree& tree_;
  double lowest_ = 0;        ///< L
  std::vector<loss> losses_; ///< by node; empty before the first choice
};

} // namespace brewery

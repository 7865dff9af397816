#include "search/virtual_loss.hpp"

#include "base/error.hpp"

#include <algorithm>

namespace brewery {

namespace {

double lowest_reward(const tree& searched) {
  std::optional<double> lowest;
  for (const auto& item : searched.nodes())
    if (item.evaluated())
      lowest = std::min(lowest.value_or(item.reward), item.reward);
  return lowest.value_or(0);
}

} // namespace

void virtual_loss::add(const expansion& chosen) {
  BREWERY_ASSERT(chosen.candidates <= room(chosen.node));
  if (losses_.empty()) {
    losses_.resize(tree_.size());
    lowest_ = lowest_reward(tree_);
  }
  losses_[chosen.node.value].drawn += chosen.candidates;
  for (node_id id = chosen.node;; id = tree_.at(id).parent) {
    auto& counted = losses_[id.value];
    counted.visits += chosen.candidates;
    counted.closed = !has_open(tree_.at(id));
    if (id == tree::root()) return;
  }
}

bool virtual_loss::has_open(const node& item) const {
  return can_expand(item.id)
         || std::any_of(item.children.begin(), item.children.end(),
                        [this](node_id child) { return open(child); });
}

std::uint32_t virtual_loss::visits(node_id id) const {
  const auto real = tree_.at(id).visits;
  return losses_.empty() ? real : real + losses_[id.value].visits;
}

double virtual_loss::value(node_id id) const {
  const auto& item = tree_.at(id);
  if (losses_.empty() || losses_[id.value].visits == 0) return item.value();
  const double lost = lowest_ * losses_[id.value].visits;
  return (item.total + lost) / visits(id);
}

std::uint32_t virtual_loss::drawn(node_id id) const {
  const auto real = tree_.at(id).drawn;
  return losses_.empty() ? real : real + losses_[id.value].drawn;
}

std::uint32_t virtual_loss::room(node_id id) const {
  const auto real = tree_.room(id);
  return losses_.empty() ? real : real - losses_[id.value].drawn;
}

bool virtual_loss::open(node_id id) const {
  return tree_.at(id).open && (losses_.empty() || !losses_[id.value].closed);
}

} // namespace brewery

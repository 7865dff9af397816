#include "search/tree.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cmath>

namespace brewery {

tree::tree(doc_hash root_hash, tree_limits limits) : limits_(limits) {
  by_hash_.emplace(root_hash, root());
  node first;
  first.hash = std::move(root_hash);
  nodes_.push_back(std::move(first));
  refresh(nodes_.front());
}

result<tree> tree::restored(const std::vector<node>& nodes,
                            tree_limits limits) {
  const error damaged{ec::corrupt, "the nodes form no tree"};
  if (nodes.empty()) return damaged;
  tree out{nodes.front().hash, limits};
  for (const auto& item : nodes) {
    const auto id = item.id.value;
    if (id > 0) {
      if (item.parent.value >= id || !out.can_expand(item.parent))
        return damaged;
      if (!out.add_child(item.parent, item.hash, item.iteration).created)
        return damaged;
    }
    if (id + 1 != out.size()) return damaged;
    for (const auto& measured : item.evaluations)
      if (!std::isfinite(measured.reward)
          || !std::isfinite(measured.correctness)
          || !std::isfinite(measured.retrieval)
          || !std::isfinite(measured.least.value_or(0))
          || !std::isfinite(measured.raced.value_or(0))
          || !out.absorb(item.id, measured))
        return damaged;
  }
  for (const auto& item : nodes) {
    out.nodes_[item.id.value].drawn = item.drawn;
    for (const auto& made : item.challenges) {
      if (made.incumbent.value >= nodes.size()) return damaged;
      out.note_challenge(item.id, made);
    }
  }
  return out;
}

const node& tree::at(node_id id) const {
  BREWERY_ASSERT(id.value < nodes_.size());
  return nodes_[id.value];
}

std::optional<node_id> tree::find(const doc_hash& hash) const {
  const auto it = by_hash_.find(hash);
  if (it == by_hash_.end()) return std::nullopt;
  return it->second;
}

std::uint32_t tree::room(const node& item) const {
  if (item.depth >= limits_.max_depth) return 0;
  const auto width = static_cast<std::uint32_t>(item.children.size());
  return limits_.max_width - std::min(limits_.max_width, width);
}

std::uint32_t tree::room(node_id id) const {
  return room(at(id));
}

tree::added tree::add_child(node_id parent, doc_hash hash,
                            std::uint32_t iteration) {
  BREWERY_ASSERT(can_expand(parent));
  ++nodes_[parent.value].drawn;
  const node_id id{static_cast<std::uint32_t>(nodes_.size())};
  const auto [it, fresh] = by_hash_.try_emplace(hash, id);
  if (fresh) {
    node child;
    child.id = id;
    child.parent = parent;
    child.hash = std::move(hash);
    child.iteration = iteration;
    child.depth = nodes_[parent.value].depth + 1;
    nodes_.push_back(std::move(child));
    nodes_[parent.value].children.push_back(id);
  }
  if (fresh) refresh_path(id);
  return {it->second, fresh};
}

void tree::note_lost_draw(node_id parent) {
  BREWERY_ASSERT(parent.value < nodes_.size());
  ++nodes_[parent.value].drawn;
}

bool tree::absorb(node_id id, evaluation measured) {
  BREWERY_ASSERT(id.value < nodes_.size());
  BREWERY_ASSERT(std::isfinite(measured.reward)
                 && std::isfinite(measured.correctness)
                 && std::isfinite(measured.retrieval));
  auto& own = nodes_[id.value].evaluations;
  const auto at = std::lower_bound(
      own.begin(), own.end(), measured.id,
      [](const evaluation& a, const evaluation_id& b) { return a.id < b; });
  const bool known = at != own.end() && at->id == measured.id;
  if (known && !at->least) return false;
  if (known)
    *at = std::move(measured);
  else
    own.insert(at, std::move(measured));
  refresh_path(id);
  return true;
}

void tree::replace(node_id id, evaluation measured) {
  BREWERY_ASSERT(at(id).evaluated() && !at(id).bounded() && !measured.least);
  nodes_[id.value].evaluations.clear();
  absorb(id, std::move(measured));
}

void tree::note_challenge(node_id id, const confirmation& made) {
  BREWERY_ASSERT(id.value < nodes_.size());
  nodes_[id.value].challenges.push_back(made);
}

void tree::withdraw(node_id id, const evaluation_id& stopped) {
  BREWERY_ASSERT(id.value < nodes_.size());
  const auto gone =
      std::erase_if(nodes_[id.value].evaluations, [&](const auto& one) {
        return one.id == stopped && one.least;
      });
  if (gone > 0) refresh_path(id);
}

void tree::refresh(node& item) const {
  item.reward = item.correctness = item.retrieval = item.least = 0;
  for (const auto& measured : item.evaluations) {
    item.reward += measured.reward;
    item.correctness += measured.correctness;
    item.retrieval += measured.retrieval;
    item.least += measured.least.value_or(measured.reward);
  }
  if (item.evaluated()) {
    const double count = static_cast<double>(item.evaluations.size());
    item.reward /= count;
    item.correctness /= count;
    item.retrieval /= count;
    item.least /= count;
  }
  item.visits = item.evaluated() ? 1 : 0;
  item.total = item.reward;
  item.open = room(item) > 0;
  for (const node_id id : item.children) {
    const node& child = nodes_[id.value];
    item.visits += child.visits;
    item.total += child.total;
    item.open = item.open || child.open;
  }
}

void tree::refresh_path(node_id id) {
  for (;;) {
    node& item = nodes_[id.value];
    refresh(item);
    if (item.parent == id) return;
    id = item.parent;
  }
}

tree tree::lowest() const {
  tree out = *this;
  for (auto item = out.nodes_.rbegin(); item != out.nodes_.rend(); ++item) {
    for (auto& measured : item->evaluations)
      measured.reward = measured.least.value_or(measured.reward);
    out.refresh(*item); // children come after their parents
  }
  return out;
}

std::optional<node_id> tree::best() const {
  const node* found = nullptr;
  for (const auto& item : nodes_)
    if (item.evaluated() && !item.bounded() && !item.raced() && !item.refused()
        && (found == nullptr || limits_.newest_is_best
            || item.reward > found->reward))
      found = &item;
  if (found == nullptr) return std::nullopt;
  return found->id;
}

} // namespace brewery

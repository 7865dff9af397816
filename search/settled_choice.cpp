#include "search/settled_choice.hpp"

#include "base/error.hpp"
#include "search/bounds.hpp"
#include "search/uct.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

namespace brewery {

namespace {

/// The lowest and the highest own reward of a tree.
bounds rewards_of(const tree& searched) {
  std::optional<bounds> out;
  for (const auto& item : searched.nodes()) {
    if (!item.evaluated()) continue;
    if (!out) out = bounds{item.reward, item.reward};
    out->least = std::min(out->least, item.reward);
    out->most = std::max(out->most, item.reward);
  }
  return out.value_or(bounds{0, 0});
}

/// A tree at both ends of its bounds, as later choices of an iteration see it.
class bounded_choice {
public:
  bounded_choice(const tree& most, const search_options& options)
      : most_(most), least_(most.lowest()), options_(options), high_(most_),
        low_(least_) {}

  settled_choice run() {
    settled_choice out;
    const std::size_t wanted =
        options_.how == strategy::iterative ? 1 : options_.expansions;
    while (out.chosen.size() < wanted) {
      const auto id = choose();
      if (!id) break;
      if (most_.at(*id).bounded()) open_.insert(*id);
      if (!open_.empty()) break;
      const std::uint32_t most =
          options_.how == strategy::iterative ? 1 : options_.candidates;
      const expansion next{*id, std::min(most, high_.room(*id)),
                           high_.drawn(*id)};
      out.chosen.push_back(next);
      if (out.chosen.size() == wanted) break;
      high_.add(next);
      low_.add(next);
    }
    out.open.assign(open_.begin(), open_.end());
    if (!out.open.empty()) out.chosen.clear();
    return out;
  }

private:
  std::optional<node_id> choose() {
    if (options_.how == strategy::mcts) return descend();
    if (options_.how == strategy::greedy) return best_open();
    const node_id newest = most_.nodes().back().id;
    if (high_.can_expand(newest)) return newest;
    return std::nullopt;
  }

  std::optional<node_id> descend() {
    if (!high_.open(tree::root())) return std::nullopt;
    take_range();
    node_id id = tree::root();
    while (open_.empty() && !high_.can_expand(id))
      id = best_open_child(id);
    return id;
  }

  /// What exploration is multiplied by, at both ends.
  void take_range() {
    range_ = {1, 1};
    if (!options_.exploration_by_range) return;
    const auto high = rewards_of(most_), low = rewards_of(least_);
    const double most = high.most - low.least;
    const double least = std::max(low.most - high.least, 0.0);
    if (most <= 0) return; // all rewards are the same
    range_ = {least, most};
    // Equal rewards have the range 1, so it jumps there.
    if (least <= 0) open_all();
  }

  node_id best_open_child(node_id parent) {
    std::optional<node_id> best;
    std::vector<node_id> others;
    for (const node_id id : most_.at(parent).children) {
      if (!high_.open(id)) continue;
      if (best
          && bound(parent, id, high_, range_.most)
                 <= bound(parent, *best, high_, range_.most)) {
        others.push_back(id);
        continue;
      }
      if (best) others.push_back(*best);
      best = id;
    }
    BREWERY_ASSERT(best.has_value());
    for (const node_id other : others)
      if (!surely_better(parent, *best, other)) {
        open_for(*best, other);
        break;
      }
    return *best;
  }

  double bound(node_id parent, node_id id, const virtual_loss& seen,
               double range) const {
    const double log_visits =
        std::log(static_cast<double>(std::max(seen.visits(parent), 1u)));
    return uct(seen.value(id), seen.visits(id), log_visits,
               options_.exploration * range);
  }

  [[nodiscard]] bool is_exact(node_id id) const {
    return high_.value(id) == low_.value(id);
  }

  /// `best` was preferred at one end of the bounds; does that hold everywhere?
  bool surely_better(node_id parent, node_id best, node_id other) const {
    if (range_.least == range_.most && is_exact(best) && is_exact(other))
      return true;
    if (high_.visits(best) == 0) return true; // unvisited: always first
    return std::ranges::all_of(
        std::array{range_.least, range_.most}, [&](double range) {
          return bound(parent, best, low_, range)
                 > bound(parent, other, high_, range) + choice_margin;
        });
  }

  /// The one below `top` of which least is known.
  [[nodiscard]] std::optional<node_id> widest_below(node_id top) const {
    const node* widest = nullptr;
    const auto width = [](const node& item) {
      return item.reward - item.least;
    };
    for (const auto& item : most_.nodes())
      if (item.bounded() && is_below(item.id, top)
          && (widest == nullptr || width(item) > width(*widest)))
        widest = &item;
    if (widest == nullptr) return std::nullopt;
    return widest->id;
  }

  /// Opens what the comparison of these subtrees hangs on. As `best` is the
  /// one that may be worth most, it comes first: as long as it is ahead,
  /// nothing that is learned of another decides.
  void open_for(node_id best, node_id other) {
    for (const auto top : {best, other})
      if (const auto id = widest_below(top)) {
        open_.insert(*id);
        return;
      }
    open_lowest();
  }

  [[nodiscard]] bool is_below(node_id id, node_id top) const {
    while (id != top && id != tree::root())
      id = most_.at(id).parent;
    return id == top;
  }

  /// The nodes that may have the lowest reward, which decides the range.
  void open_lowest() {
    const auto lowest = rewards_of(most_).least;
    for (const auto& item : most_.nodes())
      if (item.bounded() && item.least < lowest) open_.insert(item.id);
    if (open_.empty()) open_all();
  }

  void open_all() {
    for (const auto& item : most_.nodes())
      if (item.bounded()) open_.insert(item.id);
  }

  std::optional<node_id> best_open() {
    const auto top = best_where([&](const node& item) {
      return item.evaluated() && high_.open(item.id);
    });
    const auto id = top.value_or(tree::root());
    if (high_.can_expand(id) || !open_.empty()) return id;
    return best_where([&](const node& item) {
      return high_.can_expand(item.id) && is_below(item.id, id);
    });
  }

  /// By own reward; those without an evaluation come last, in their order.
  template <class Choice>
  std::optional<node_id> best_where(Choice wanted) {
    const node* best = nullptr;
    const auto better = [](const node& a, const node& b) {
      if (a.evaluated() != b.evaluated()) return a.evaluated();
      return a.reward > b.reward;
    };
    for (const auto& item : most_.nodes())
      if (wanted(item) && (best == nullptr || better(item, *best)))
        best = &item;
    if (best == nullptr) return std::nullopt;
    // Whatever comes may be better than the least of a stopped one.
    if (best->bounded()
        && std::ranges::any_of(most_.nodes(), [&](const node& item) {
             return wanted(item) && item.evaluated() && item.id != best->id
                    && (item.reward > best->least
                        || (item.reward == best->least && item.id < best->id));
           }))
      open_.insert(best->id);
    return best->id;
  }

  const tree& most_;
  const tree least_;
  const search_options& options_;
  virtual_loss high_, low_;
  bounds range_{1, 1};
  std::set<node_id> open_;
};

} // namespace

settled_choice select_settled(const tree& searched,
                              const search_options& options) {
  if (std::ranges::none_of(searched.nodes(),
                           [](const node& item) { return item.bounded(); }))
    return {select_expansions(searched, options), {}};
  return bounded_choice{searched, options}.run();
}

} // namespace brewery

#pragma once
/// The insights of one concept with their counts: I_k of BREW
/// (arXiv:2511.20297). Equal insights from different rollouts are one entry
/// with a count. The content does not depend on the order of arrival. Owned by
/// one `concept_search`. Pure.
///
/// A long run has hundreds of thousands of insights, so an entry names its
/// rollouts by their number in the pool.

#include "base/result.hpp"
#include "messages/flat_map.hpp"
#include "messages/read_ahead.hpp"
#include "messages/snapshot_msgs.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>

namespace brewery {

/// From an insight to the one that stands for it; those that stand for
/// themselves are left out.
using insight_groups = std::map<insight_id, insight_id>;

class insight_pool {
public:
  /// The same insight from the same rollout counts once.
  void add(const shared_value<insight>& item, const insight_source& from);
  /// The same for who adds many: with the places of the insight and of the
  /// rollout, which are looked up once.
  void add(std::uint32_t item, std::uint32_t rollout);
  /// The place of an insight, which is here from now on: the order of arrival.
  std::uint32_t place_of(const shared_value<insight>& item);
  std::uint32_t place_of(const insight_source& from);
  void add(const insight_pool& other);

  [[nodiscard]] std::size_t size() const { return entries_.size(); }

  /// Calls `f` with the sentence of each insight, in the order of arrival.
  template <class F>
  void each_sentence(F f) const {
    const auto at = [this](std::size_t i) -> const insight& {
      return *entries_[i].item;
    };
    read_ahead(
        entries_.size(), at,
        [](const insight& item) -> auto& { return item.sentence; },
        [&](std::size_t i) { f(at(i).sentence); });
  }

  /// All insights that stand for themselves, ordered by id. The rollouts of an
  /// insight are also those of the insights it stands for; one that made both
  /// counts once. Insights that no rollout had made until iteration `parent`,
  /// when the parent document was written, are fresh.
  [[nodiscard]] std::vector<counted_insight>
  list(const insight_groups& groups = {},
       std::optional<std::uint32_t> parent = {}) const;

  /// Those of `ids` that are here, each as it was made, ordered by id.
  [[nodiscard]] std::vector<counted_insight>
  list_only(const std::set<insight_id>& ids) const;

  /// The same without facts: what a model wrote.
  [[nodiscard]] std::vector<counted_insight> sentences() const;

  /// Calls `take` with what came since the last call, in parts that fit into a
  /// message. One at a time, because all of them take several times as much
  /// memory as the pool.
  void take_growth(const std::function<void(const pool_growth&)>& take);

  /// Takes growth in the order in which it was taken from another pool. What
  /// contradicts itself is ec::corrupt.
  result<void> absorb(const pool_growth& growth);

private:
  using rollout_numbers = std::vector<std::uint32_t>; ///< sorted
  struct entry {
    shared_value<insight> item;
    rollout_numbers rollouts;
  };

  /// False if the number was there.
  static bool insert(rollout_numbers& sorted, std::uint32_t number);
  /// The rollouts as a list names them.
  struct naming {
    std::vector<shared_value<job_id>> ids;    ///< by number
    std::vector<std::uint32_t> ranks;         ///< by number: place in id order
    std::vector<std::uint32_t> task_of;       ///< by number
    std::vector<shared_value<task_id>> tasks; ///< in id order
  };

  /// Its number, if it is here.
  [[nodiscard]] std::optional<std::uint32_t> find(const insight_id& id) const;
  [[nodiscard]] naming names() const;
  void order_by_id(std::vector<std::uint32_t>& numbers) const;
  /// Leaves `rollouts` in another order.
  [[nodiscard]] counted_insight
  count(const shared_value<insight>& item, rollout_numbers& rollouts,
        const naming& by, std::optional<std::uint32_t> parent) const;

  std::vector<entry> entries_; ///< by number
  /// Of the entries' items, by where they are: results share equal insights
  /// (messages/insight_store.hpp), so few are looked up by id.
  flat_map<std::uint32_t> places_;
  /// By a hash of the id, or a number after it where ids have equal hashes.
  flat_map<std::uint32_t> known_;
  std::vector<std::uint32_t> sentences_; ///< their numbers
  std::vector<insight_source> sources_;  ///< by number
  std::map<job_id, std::uint32_t> numbers_;

  // What `take_growth` has not given yet.
  std::size_t entries_given_ = 0;
  std::vector<std::uint32_t> made_; ///< pairs, as in pool_growth
  std::size_t sources_given_ = 0;
};

/// Without a fact that a program can count: what a model wrote.
inline bool is_sentence(const insight& item) {
  return item.fact.kind.empty();
}
inline bool is_sentence(const counted_insight& counted) {
  return is_sentence(*counted.item);
}

/// The insights as an integrator gets them. A sentence without a fact is only
/// read, so it goes without the names of its tasks and rollouts: an integration
/// may count thousands of rollouts.
std::vector<counted_insight>
for_integration(std::vector<counted_insight> insights);

} // namespace brewery

#pragma once
/// Keeps each insight of a run once. Rollouts repeat what others found, and the
/// lists in their facts repeat far more: 150,000 different insights of a
/// telecom run share 3,000 lists. Owned by the run's ledger, through which all
/// results pass. PURE.

#include "messages/job_msgs.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace brewery {

struct packed_numbers;

class insight_store {
public:
  /// The result with the insights and lists that are here already.
  job_result shared(job_result answer);

  /// Forgets what nobody but the store holds.
  void sweep();

  [[nodiscard]] std::size_t insights() const { return insights_.size(); }
  [[nodiscard]] std::size_t lists() const { return lists_.size(); }

private:
  using text_list = insight_fact::text_list;
  struct list_hash {
    std::size_t operator()(const text_list& list) const;
  };
  /// Of all members. To look at one that is known costs several times as much
  /// as to hash one that has just been read: hundreds of thousands are not in
  /// any cache.
  using fingerprint = std::uint64_t;
  struct seen_list {
    text_list ours;
    fingerprint content = 0;
  };

  std::vector<shared_value<insight>> shared(const rollout_insights& made);
  shared_value<insight> shared(const shared_value<insight>& item);
  std::vector<shared_value<insight>>
  unpacked(const packed_rollout_insights& packed);
  /// `lists`: those of `packed` that were needed, by number.
  insight made_of(const packed_rollout_insights& packed, const insight_id& id,
                  const packed_numbers& numbers,
                  std::vector<std::optional<text_list>>& lists);
  text_list ours(const packed_rollout_insights& packed, std::size_t list);
  const seen_list& seen(const text_list& list);
  fingerprint fingerprint_of(const insight& item);

  std::unordered_map<fingerprint, shared_value<insight>> insights_;
  /// By content, and the content itself.
  std::unordered_map<text_list, text_list, list_hash> lists_;
  /// By the items of a list of the present result, which keeps them.
  std::unordered_map<const void*, seen_list> seen_;
  std::size_t sweep_at_ = 4096; ///< insights
};

} // namespace brewery

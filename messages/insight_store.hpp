#pragma once
/// Keeps each insight of a run once. Rollouts repeat what others found, and the
/// texts of insights and the lists in their facts repeat far more: 320,000
/// different insights of a telecom run share 108,000 sentences, 60 other texts
/// and 2,400 lists. Owned by the run's ledger, through which all
/// results pass. PURE.

#include "messages/content_sums.hpp"
#include "messages/flat_map.hpp"
#include "messages/job_msgs.hpp"
#include "messages/packed_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace brewery {

class insight_store {
public:
  /// The result with the insights and lists that are here already.
  job_result shared(job_result answer);

  /// Forgets what nobody but the store holds.
  void sweep();

  [[nodiscard]] std::size_t insights() const { return insights_.size(); }
  [[nodiscard]] std::size_t texts() const { return texts_.size(); }
  [[nodiscard]] std::size_t lists() const { return lists_.size(); }

private:
  using text_list = insight_fact::text_list;
  struct seen_list {
    text_list ours;
    content_sum content = 0;
  };

  std::vector<shared_value<insight>> shared(const rollout_insights& made);
  shared_value<insight> shared(const shared_value<insight>& item);
  std::vector<shared_value<insight>>
  unpacked(const packed_rollout_insights& packed, const packed_sums& sums);
  /// What of a packed result has been needed so far, by number.
  struct used {
    std::vector<shared_text> texts;
    std::vector<std::optional<text_list>> lists;
  };
  void make(insight& out, const packed_rollout_insights& packed,
            const packed_sums& sums, const packed_numbers& numbers,
            used& parts);
  shared_text ours(const shared_text& text);
  shared_text ours(std::string_view text, content_sum content);
  text_list ours(const packed_rollout_insights& packed, std::size_t list,
                 content_sum content);
  const seen_list& seen(const text_list& list);
  content_sum content_of(const insight& item);

  /// By all of their content. To look at one that is known costs several times
  /// as much as to sum up one that has just been read: hundreds of thousands
  /// are not in any cache.
  flat_map<shared_value<insight>> insights_;
  flat_map<shared_text> texts_;                      ///< by content
  std::unordered_map<content_sum, text_list> lists_; ///< by content
  /// By the items of a list of the present result, which keeps them.
  std::unordered_map<const void*, seen_list> seen_;
  std::size_t sweep_at_ = 4096; ///< insights
};

} // namespace brewery

#pragma once
/// Keeps each insight of a run once. Rollouts repeat what others found, and the
/// lists in their facts repeat far more: 150,000 different insights of a
/// telecom run share 3,000 lists. Owned by the run's ledger, through which all
/// results pass. PURE.

#include "messages/job_msgs.hpp"

#include <cstddef>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace brewery {

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
  struct id_hash {
    using is_transparent = void;
    std::size_t operator()(const insight_id& id) const;
    std::size_t operator()(const shared_value<insight>& item) const;
  };
  struct same_id {
    using is_transparent = void;
    static const insight_id& id_of(const insight_id& id) { return id; }
    static const insight_id& id_of(const shared_value<insight>& item) {
      return item->id;
    }
    template <class A, class B>
    bool operator()(const A& a, const B& b) const {
      return id_of(a) == id_of(b);
    }
  };

  shared_value<insight> shared(const shared_value<insight>& item);
  const text_list& shared(const text_list& list);
  bool is_equal(const insight& known, const insight& item);

  std::unordered_set<shared_value<insight>, id_hash, same_id> insights_;
  /// By content, and the content itself.
  std::unordered_map<text_list, text_list, list_hash> lists_;
  /// From the items of a list of the present result, which keeps them, to ours.
  std::unordered_map<const void*, text_list> seen_;
  std::size_t sweep_at_ = 4096; ///< insights
};

} // namespace brewery

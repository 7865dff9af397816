#pragma once
/// The insights of one rollout as they travel and lie in a log: what repeats is
/// there once. 138 insights of a telecom rollout name 1,800 lines in 690 lists;
/// 35 of the lists and 300 of the texts differ. Lists in messages of older
/// peers, and in their logs, are still read. PURE.

#include "base/result.hpp"
#include "messages/insight.hpp"
#include "messages/wire/format.hpp"
#include "messages/wire/sent_as.hpp"

#include <memory>

namespace brewery {

struct packed_rollout_insights {
  std::vector<std::string> texts; ///< in the order of their first use
  std::vector<std::vector<std::uint32_t>> lists; ///< of texts, by number
  std::vector<insight_id> ids;                   ///< one for each insight
  /// All other members, as in `packed_insights`.
  std::string numbers;
  BREWERY_FIELDS(packed_rollout_insights, texts, lists, ids, numbers)
};

packed_rollout_insights
pack(const shared_list<shared_value<insight>>& insights);

/// Error ec::malformed: it names what is not there, ends early or late, or
/// would take more memory than `max_unpacked_rollout_bytes`. Equal lists are
/// one.
result<shared_list<shared_value<insight>>>
unpack(const packed_rollout_insights& packed);

/// A text may be named by every insight, and each gets a copy.
inline constexpr std::size_t max_unpacked_rollout_bytes = 64U << 20U;

template <>
struct wire::sent_as<shared_list<shared_value<insight>>> {
  using type = packed_rollout_insights;
  static auto to(const shared_list<shared_value<insight>>& list, writer::form) {
    return std::make_unique<const packed_rollout_insights>(pack(list));
  }
  static auto from(const type& packed) { return unpack(packed); }
};

} // namespace brewery

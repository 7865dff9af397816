#pragma once
/// The insights of an integration as they travel: what repeats is sent once.
/// Thousands of insights share their lists, tasks and rollouts: the largest job
/// of the telecom example has 9 MB instead of 27. Lists in messages of older
/// peers are still read. PURE, but for the one list that `packed_once` keeps.

#include "base/result.hpp"
#include "messages/insight_msgs.hpp"
#include "messages/text_table.hpp"
#include "messages/told_insights.hpp"
#include "messages/wire/format.hpp"
#include "messages/wire/sent_as.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

struct packed_insights {
  text_table texts; ///< in the order of their first use
  std::vector<std::vector<std::uint32_t>> lists; ///< of texts, by number
  text_table ids;                                ///< one for each insight
  std::vector<double> rewards;                   ///< likewise
  /// All other members of one insight after the other, in the order of
  /// `pack`, in little-endian base 128: 7 bits a byte, the eighth says that
  /// more follow. Texts and lists by number, each list after its length.
  std::string numbers;
  /// Since protocol 6, and with parts as they are now since 7, instead of all
  /// other members: at most one.
  std::vector<pool_reference> pool{};
  static constexpr bool omit_if_empty = true;
  static constexpr bool optional_field(std::string_view field) {
    return field == "pool";
  }
  BREWERY_FIELDS(packed_insights, texts, lists, ids, rewards, numbers, pool)
};

packed_insights pack(const std::vector<counted_insight>& insights);

/// The same, from memory for the list that was packed last: the draws of an
/// expansion share theirs and are sent one after the other. Any thread.
std::shared_ptr<const packed_insights>
packed_once(const shared_list<counted_insight>& insights);

/// Error ec::malformed: it names what is not there, ends early or late, or
/// would take more than `max_unpacked_bytes`.
result<std::vector<counted_insight>> unpack(const packed_insights& packed);

/// A text may be named by every insight, and counts each time.
inline constexpr std::size_t max_unpacked_bytes = 1U << 30U;

template <>
struct wire::sent_as<told_insights> {
  using type = packed_insights;
  static std::shared_ptr<const type> to(const told_insights& told,
                                        writer::form form);
  static result<told_insights> from(const type& packed);
};

} // namespace brewery

#pragma once
/// Cuts a document to the length that it may have, point by point. Pure.

#include "messages/kb_msgs.hpp"

#include <cstddef>
#include <map>
#include <optional>

namespace brewery {

/// Number of rollouts behind each insight.
using insight_support = std::map<insight_id, std::uint32_t>;

/// Drops whole points (a list item with its indented lines, a paragraph, a
/// block of code) until the body has at most `max_bytes`: the point with the
/// least support first, of equal ones the last. The support of a point is that
/// of its best supported insight; without insights it is 0. The last point of
/// a part stays. The evidence follows its lines. Empty if what must stay is
/// too long.
std::optional<integrate_result> shortened(const integrate_result& made,
                                          const insight_support& support,
                                          std::size_t max_bytes);

} // namespace brewery

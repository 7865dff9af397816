#pragma once
/// The last line of an integrator's reply, "Dropped: ...": what it left out on
/// purpose. Pure; safe on any bytes.

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace brewery {

struct told_document {
  std::string document;
  std::string dropped; ///< what the line names; empty: there is none
};

/// Takes the line out of a reply: the last one that is not empty, or one before
/// it with nothing but list items after it. It may stand inside or below a code
/// fence around the whole reply, but not in another.
told_document take_dropped(std::string_view reply);

/// n of each "i3" that is named.
std::set<std::uint64_t> named_insights(std::string_view dropped);

} // namespace brewery

#pragma once
/// What a barrier did to a learner's memory, for the log: kill anywhere, and
/// the same memory follows from it.

#include "base/fields.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// The kinds of `memory_change`.
namespace memory_changes {
inline constexpr std::string_view added = "added";
inline constexpr std::string_view duplicate = "duplicate"; ///< of `other`
inline constexpr std::string_view replaced = "replaced";   ///< by `other`
inline constexpr std::string_view merged = "merged";       ///< into `other`
/// Near the problem of `other`, with other steps.
inline constexpr std::string_view alternative = "alternative";
/// The same, of another domain.
inline constexpr std::string_view adaptation = "adaptation";
inline constexpr std::string_view conflict = "conflict"; ///< lost to `other`
inline constexpr std::string_view credited = "credited"; ///< utility changed
inline constexpr std::string_view evicted = "evicted";   ///< not found again
} // namespace memory_changes

struct memory_change {
  std::string what;  ///< one of `memory_changes`
  std::string entry; ///< content hash, or a learner's name for it
  std::string other; ///< see `memory_changes`; else empty
  double before = 0; ///< utility
  double after = 0;
  BREWERY_FIELDS(memory_change, what, entry, other, before, after)
};

/// In the order in which the changes were made. `entries` is the whole memory
/// after them: content hashes in its own order.
struct memory_record {
  std::string learner;
  std::uint32_t barrier = 0; ///< from 0
  std::vector<memory_change> changes;
  std::vector<std::string> entries;
  BREWERY_FIELDS(memory_record, learner, barrier, changes, entries)
};

} // namespace brewery

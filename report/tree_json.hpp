#pragma once
/// A search tree as JSON, and what is special about a version, for
/// `brewery tree` and the web page. PURE.

#include "base/json.hpp"
#include "report/search_trees.hpp"

namespace brewery {

/// The number of the best version, or -1 while no barrier has closed.
std::int64_t best_of(const search_tree& tree);

/// Whether a barrier published this version, the last one or an earlier one.
bool was_published(const search_tree& tree, node_id id);

/// Whether it is without text, as the first version of a search that begins
/// from nothing. Such a best version is not published.
bool is_empty(const node_record& item);

/// "0.453"; of a stopped evaluation its range, "0.032 to 0.432".
std::string reward_text(const node_record& item);

/// "0.453"; of a stopped evaluation "at most 0.500". `part` is one of the two
/// parts of the version's reward.
std::string part_text(const node_record& item, double part);

/// Whether fresh trials refused the version the last time it was challenged.
bool is_refused(const node_record& item);

/// "best", "was best", "empty, not published", "stopped: at least 0.453",
/// "refused by fresh trials"; several with commas, often none.
std::string note_of(const search_tree& tree, const node_record& item);

/// One version; `note` only if there is one, `empty` only if it is. With
/// `reward_least`, `reward` and its parts are the most that they can be.
json version_json(const search_tree& tree, const node_record& item);

/// The tree with all its versions.
json tree_json(const search_tree& tree);

} // namespace brewery

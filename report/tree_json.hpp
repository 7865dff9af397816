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

/// Whether fresh trials refused the version the last time it was challenged.
bool is_refused(const node_record& item);

/// "best", "was best", "stopped: at least 0.453", "refused by fresh trials";
/// several with commas, often none.
std::string note_of(const search_tree& tree, const node_record& item);

/// One version; `note` only if there is one.
json version_json(const search_tree& tree, const node_record& item);

/// The tree with all its versions.
json tree_json(const search_tree& tree);

} // namespace brewery

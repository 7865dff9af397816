#pragma once
/// The knowledge base of a run as JSON, for the web page: its documents, and
/// what a query finds in it.

#include "web/paging.hpp"
#include "web/run_shelf.hpp"

namespace brewery::web {

/// Queries are of tickets and tool reports; longer ones are refused.
inline constexpr std::size_t query_bytes_max = 4096;

struct kb_request {
  std::string strategy; ///< empty: the first
  std::string query;    ///< empty: all documents, by concept
};

/// A page of the documents. With a query, those that `brewery kb search` finds,
/// with their rank and score and the lines that have words of it. A run that
/// retrieves by vectors would need its model: `kind` says that words are
/// searched instead. Error ec::not_found: as `published_by`.
result<json> kb_json(const run_directory& run, const kb_request& wanted,
                     const page& asked);

} // namespace brewery::web

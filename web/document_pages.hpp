#pragma once
/// The trees of a run, their documents, and what the documents' lines rest on,
/// as JSON for the web page.

#include "web/paging.hpp"
#include "web/run_shelf.hpp"

namespace brewery::web {

/// A page of the trees, without their versions.
result<json> trees_json(run_shelf& shelf, const std::string& id,
                        const page& asked);

/// A tree with a page of its versions, in order of making.
result<json> tree_page_json(run_shelf& shelf, const std::string& id,
                            const std::string& strategy,
                            const std::string& concept_text, const page& asked);

/// The text of a version. Error ec::not_found: the log has no such document.
result<json> document_json(const open_run& run, const std::string& hash);

/// The unified difference from document `before` to document `after`.
result<json> diff_json(const open_run& run, const std::string& after,
                       const std::string& before);

/// A page of the lines of a published document, each with its insights. An
/// empty strategy: the first. Error ec::not_found: no such document, or none
/// yet.
result<json> provenance_json(const run_directory& run,
                             const std::string& strategy,
                             const std::string& concept_text,
                             const page& asked);

} // namespace brewery::web

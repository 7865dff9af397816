#pragma once
/// The published documents of a run, of the first search or another one.

#include "store/folder.hpp"
#include "store/run_directory.hpp"

namespace brewery::web {

/// Empty strategy: the first. Error ec::not_found: no such search, or it has
/// published nothing yet.
result<kb_folder> published_by(const run_directory& run,
                               const std::string& strategy);

/// The searches that have published documents. `first` is the name of the one
/// whose documents are in kb/, and comes first.
std::vector<std::string> publishing_searches(const run_directory& run,
                                             const std::string& first);

} // namespace brewery::web

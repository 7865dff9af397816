#pragma once
/// Finds what a command line names: a run by id or path, a knowledge base by
/// run or directory.

#include "base/result.hpp"

#include <filesystem>
#include <string>

namespace brewery {

/// The run directory of an id below `runs_dir`, or the given directory. Error
/// ec::not_found suggests the most similar id.
result<std::filesystem::path> locate_run(const std::string& run,
                                         const std::filesystem::path& runs_dir);

/// The command that continues a run: a coordinator's is its own to continue.
/// `word` names it on a command line.
std::string command_to_resume(const std::filesystem::path& run,
                              const std::string& word);

/// The folder of documents. A run directory stands for its kb/, another
/// directory for itself; anything else is a run id.
result<std::filesystem::path> locate_kb(const std::string& kb,
                                        const std::filesystem::path& runs_dir);

/// The configuration that a run stores in a folder above its documents. Error
/// ec::invalid_argument: they belong to no run.
result<std::string> config_of_run(const std::filesystem::path& documents);

} // namespace brewery

#pragma once
/// The files that a task needs from outside: for its initial state and for its
/// grade. An address with a scheme is fetched; another one is a path below the
/// data directory, as for the project's own tasks.

#include "envs/osworld/tasks/task.hpp"

#include <filesystem>

namespace brewery::osworld {

/// Addresses, each once, in the order of their use.
std::vector<std::string> files_of(const desktop_task& task);

/// "https://..." and the like.
bool is_remote(std::string_view address);

/// Where a local file of a task is. A task is data of others, and what it names
/// is shown to an agent: error ec::invalid_argument if the path is absolute, or
/// leaves the data directory by ".." or by a link.
result<std::filesystem::path> local_file(const std::filesystem::path& data,
                                         const std::string& address);

/// An empty Chrome history that `update_browse_history` fills.
inline constexpr std::string_view empty_history_url =
    "https://huggingface.co/datasets/xlangai/ubuntu_osworld_file_cache/resolve/"
    "main/chrome/44ee5668-ecd5-4366-a6ce-c1c9b8d4e938/"
    "history_empty.sqlite?download=true";

} // namespace brewery::osworld

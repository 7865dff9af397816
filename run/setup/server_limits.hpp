#pragma once
/// The limits of model servers (timeouts, retries, calls at once) that a run
/// used last: `models/limits.json` in its directory. They change no result, so
/// a run may go on with others; this says which changed.

#include "base/result.hpp"
#include "llm/accounts/model_catalog.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace brewery {

/// By "server.NAME.key", as the catalog writes them.
using server_limits = std::map<std::string, std::string>;

server_limits limits_of(const model_catalog& catalog);

/// "server.here.max_retries: 8 -> 2" for each limit that is in both and
/// differs.
std::vector<std::string> changed_limits(const server_limits& before,
                                        const server_limits& now);

/// Stores the limits for the next session and returns what changed since the
/// last one. `run` is the run's directory, with a folder `models`.
result<std::vector<std::string>> note_limits(const std::filesystem::path& run,
                                             const server_limits& now);

} // namespace brewery

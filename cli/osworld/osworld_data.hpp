#pragma once
/// `brewery data check` and `brewery data fetch` for OSWorld.

#include <string>

namespace brewery {

/// Whether a directory holds OSWorld tasks.
bool holds_osworld(const std::string& directory);

struct osworld_fetch_arguments {
  std::string directory;
  std::string cache;
  std::string mirror;
  std::string split; ///< empty: all tasks
  bool json = false;
};

/// Print what can be played and graded, and why the rest cannot. Return the
/// exit code.
int check_osworld(const std::string& directory, bool as_json);

/// Fetches what is not here yet.
int fetch_osworld(const osworld_fetch_arguments& arguments);

} // namespace brewery

#include "cli/state_directory.hpp"

#include <cstdlib>

namespace brewery {

std::filesystem::path state_directory() {
  if (const char* state = std::getenv("XDG_STATE_HOME"); state && *state)
    return std::filesystem::path{state} / "brewery";
  if (const char* home = std::getenv("HOME"); home && *home)
    return std::filesystem::path{home} / ".local" / "state" / "brewery";
  return "brewery-state";
}

} // namespace brewery

#include "report/learner_text.hpp"

#include <array>
#include <utility>

namespace brewery {

std::string memory_learner(std::string_view learner) {
  constexpr std::array<std::pair<std::string_view, const char*>, 3> names{
      {{"agent_kb", "Agent KB"},
       {"agent_kb_oracle", "Agent KB, told the grades,"},
       {"muse", "MUSE"}}};
  for (const auto& [name, said] : names)
    if (name == learner) return said;
  return {};
}

} // namespace brewery

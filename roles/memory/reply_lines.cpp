#include "roles/memory/reply_lines.hpp"

#include "base/printable.hpp"

namespace brewery {

std::vector<std::string> lines_in(const json& list, std::size_t bytes,
                                  std::size_t most) {
  std::vector<std::string> out;
  for (const auto& one : list) {
    auto line = collapse_spaces(one.get_ref<const std::string&>());
    if (line.size() > bytes) line = shown(line, bytes);
    if (!line.empty() && out.size() < most) out.push_back(std::move(line));
  }
  return out;
}

} // namespace brewery

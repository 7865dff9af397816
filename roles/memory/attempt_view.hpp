#pragma once
/// What one attempt saw, as the procedural memory role compares it with rules:
/// the lines of each look, first and last, with the values of this task as
/// placeholders. PURE.

#include "messages/memory/memory_msgs.hpp"
#include "roles/procedural/rule_text.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace brewery {

struct attempt_view {
  std::vector<std::string> clauses; ///< of the instruction
  std::vector<std::string> looks;   ///< calls as text, by first appearance
  std::map<std::string, std::vector<std::string>> first, last; ///< by look
  std::set<std::pair<std::string, std::string>> shown;         ///< look, line
  std::vector<std::string> changes; ///< calls that may change something
  std::set<std::string> tools;

  [[nodiscard]] bool showed(const condition& item) const {
    return shown.contains({item.observation, item.line});
  }
  [[nodiscard]] bool ended_with(const condition& item) const;
};

/// The first text of this name in a job; empty: it has none.
std::string text_in(const memory_job& job, std::string_view name);

attempt_view view_of(const std::string& instruction,
                     const std::vector<trajectory_step>& steps);

/// "`LOOK` shows "LINE"", as rules say it.
std::string sighting_text(const std::string& look, const std::string& line);
inline std::string sighting_text(const condition& item) {
  return sighting_text(item.observation, item.line);
}

} // namespace brewery

#include "kb/comparators/lesson_rule.hpp"

#include <algorithm>
#include <map>

namespace brewery {

lesson_rule::lesson_rule(const std::vector<recorded_attempt>& attempts) {
  std::map<std::string, std::size_t> count;
  std::size_t solved = 0;
  for (const auto& one : attempts) {
    known_ |= !one.seen.empty();
    if (!one.solved || one.ended.empty()) continue;
    ++solved;
    for (const auto& line :
         std::set<std::string>(one.ended.begin(), one.ended.end()))
      ++count[line];
  }
  for (const auto& [line, times] : count)
    if (2 * times > solved) usual_.insert(line);
}

bool lesson_rule::is_lesson(const recorded_change& change) const {
  if (!known_) return true;
  return std::ranges::none_of(change.before,
                              [&](const auto& line) { return is_usual(line); })
         && (change.kept || is_usual(change.after));
}

} // namespace brewery

#pragma once
/// What a memory without a language model takes for worth telling: a line that
/// more than half of the solved attempts ended with is usual. A change is a
/// lesson if it made nothing usual go, and either gave what is usual,
/// whether its attempt was solved or not, or was kept by a solved attempt.
/// PURE.

#include "kb/comparators/recorded_attempt.hpp"

#include <set>

namespace brewery {

class lesson_rule {
public:
  explicit lesson_rule(const std::vector<recorded_attempt>& attempts);

  [[nodiscard]] bool is_usual(const std::string& line) const {
    return usual_.contains(line);
  }
  /// Any change, if nobody recorded what was seen.
  [[nodiscard]] bool is_lesson(const recorded_change& change) const;

private:
  std::set<std::string> usual_;
  bool known_ = false; ///< somebody recorded what was seen
};

} // namespace brewery

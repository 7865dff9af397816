#pragma once
/// The checks of a grader that all attempts had, and how often each was met,
/// e.g. an answer read under other rules, or one case of several. PURE.

#include "messages/search_msgs.hpp"

#include <vector>

namespace brewery {

class shared_checks {
public:
  void add(const grade_report& grade);

  /// In the order of the first grade. If a grade has several checks of one
  /// name, the first counts.
  [[nodiscard]] std::vector<check_share> take() { return std::move(shared_); }

private:
  std::vector<check_share> shared_;
  bool any_ = false;
};

} // namespace brewery

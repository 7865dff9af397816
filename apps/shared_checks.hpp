#pragma once
/// Which checks of a grader all attempts had, and how often each was met: an
/// answer read by other rules, one case of several. PURE.

#include "messages/search_msgs.hpp"

#include <vector>

namespace brewery {

class shared_checks {
public:
  void add(const grade_report& grade);

  /// In the order of the first grade; of checks with equal names in one grade,
  /// the first.
  [[nodiscard]] std::vector<check_share> take() { return std::move(shared_); }

private:
  std::vector<check_share> shared_;
  bool any_ = false;
};

} // namespace brewery

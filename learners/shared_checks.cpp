#include "learners/shared_checks.hpp"

#include <algorithm>

namespace brewery {

void shared_checks::add(const grade_report& grade) {
  if (!any_)
    for (const auto& part : grade.parts)
      if (std::ranges::find(shared_, part.name, &check_share::name)
          == shared_.end())
        shared_.push_back({part.name, 0, 0});
  any_ = true;
  std::erase_if(shared_, [&](check_share& check) {
    const auto part =
        std::ranges::find(grade.parts, check.name, &grade_part::name);
    if (part == grade.parts.end()) return true;
    ++check.of;
    check.met += part->met;
    return false;
  });
}

} // namespace brewery

#include "roles/procedural/induction/shared_evidence.hpp"

#include <optional>

namespace brewery {

struct shared_evidence::entry {
  shared_list<counted_insight> insights; ///< the table refers to them
  std::once_flag made;
  std::optional<counted_evidence> table;
};

std::shared_ptr<const counted_evidence>
shared_evidence::of(const shared_list<counted_insight>& insights) {
  std::shared_ptr<entry> found;
  {
    const std::lock_guard lock{mutex_};
    // Who asks holds the list too.
    std::erase_if(known_, [](const auto& known) {
      return known->insights.held_by() <= 1;
    });
    for (const auto& known : known_)
      if (&known->insights.items() == &insights.items()) found = known;
    if (!found) {
      found = known_.emplace_back(std::make_shared<entry>());
      found->insights = insights;
    }
  }
  std::call_once(found->made,
                 [&] { found->table.emplace(found->insights.items()); });
  return {found, &*found->table};
}

void shared_evidence::done(const shared_list<counted_insight>& insights) {
  const std::lock_guard lock{mutex_};
  std::erase_if(known_, [&](const auto& known) {
    return &known->insights.items() == &insights.items()
           && insights.held_by() <= 2; // here and by who is done
  });
}

} // namespace brewery

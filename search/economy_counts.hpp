#pragma once
/// Counts of rollouts that were spent and saved, by what it was that did so.

#include "messages/search_msgs.hpp"

#include <map>

namespace brewery {

class economy_counts {
public:
  void add(std::string_view what, std::uint64_t rollouts) {
    if (rollouts > 0) counts_[std::string{what}] += rollouts;
  }
  void add(const std::vector<economy_count>& more) {
    for (const auto& one : more)
      add(one.what, one.rollouts);
  }
  [[nodiscard]] std::uint64_t of(std::string_view what) const {
    const auto it = counts_.find(std::string{what});
    return it == counts_.end() ? 0 : it->second;
  }
  /// In the order of their names, without zeros.
  [[nodiscard]] std::vector<economy_count> list() const {
    std::vector<economy_count> out;
    for (const auto& [what, rollouts] : counts_)
      out.push_back({what, rollouts});
    return out;
  }

private:
  std::map<std::string, std::uint64_t> counts_;
};

/// Of all trees and iterations of a search.
inline economy_counts counts_of(const std::vector<gather_record>& gathers) {
  economy_counts out;
  for (const auto& gather : gathers)
    for (const auto* part : {&gather.folded, &gather.reports})
      for (const auto& tree : *part)
        out.add(tree.counts);
  return out;
}

} // namespace brewery

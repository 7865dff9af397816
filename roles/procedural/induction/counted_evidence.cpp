#include "roles/procedural/induction/counted_evidence.hpp"

#include <algorithm>

namespace brewery {

namespace {

/// Number of tools that may change a line that is no symptom: one for each
/// direction.
constexpr std::ptrdiff_t max_causes = 2;
/// Minimum share of a line's changes for a tool to count as a cause.
constexpr double cause_share = 0.05;

} // namespace

counted_observation::counted_observation(const evidence_table& table,
                                         const observation_evidence& evidence)
    : table_(table), evidence_(evidence) {}

const outcome_counts& counted_observation::counts() const {
  std::call_once(counted_, [this] { counts_.emplace(evidence_); });
  return *counts_;
}

const std::vector<std::vector<line_number>>&
counted_observation::groups() const {
  std::call_once(grouped_, [this] {
    groups_ = table_.changeable(evidence_);
    ways_ = std::make_unique<lazy_ways[]>(groups_.size());
  });
  return groups_;
}

const transitions* counted_observation::ways(std::size_t group) const {
  const auto& values = groups()[group];
  auto& lazy = ways_[group];
  std::call_once(lazy.made, [&] {
    if (!is_symptom(values)) lazy.ways.emplace(evidence_, values);
  });
  return lazy.ways ? &*lazy.ways : nullptr;
}

bool counted_observation::is_symptom(
    const std::vector<line_number>& values) const {
  std::map<std::string_view, std::uint32_t> changed_by;
  std::uint32_t changes = 0;
  for (const auto& row : evidence_.effects) {
    if (row.actions.size() != 1) continue;
    const bool changed =
        std::any_of(values.begin(), values.end(), [&](auto value) {
          return holds(row.before, value) != holds(row.after, value);
        });
    if (!changed) continue;
    const std::string_view call = table_.text(row.actions.front());
    changed_by[call.substr(0, call.find('('))] += row.count;
    changes += row.count;
  }
  const auto causes = std::count_if(
      changed_by.begin(), changed_by.end(), [&](const auto& entry) {
        return entry.second >= 2 && entry.second >= cause_share * changes;
      });
  return causes > max_causes;
}

counted_evidence::counted_evidence(const std::vector<counted_insight>& insights)
    : table_(insights) {
  for (const auto& one : table_.observations())
    observations_.push_back(std::make_unique<counted_observation>(table_, one));
}

} // namespace brewery

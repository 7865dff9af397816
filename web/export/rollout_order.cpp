#include "web/export/rollout_order.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace brewery::web {

namespace {

/// The attempt with the lowest trial of each arm at each task.
std::set<std::string>
first_attempts(const std::vector<exported_rollout>& rollouts) {
  std::map<std::pair<std::string, std::string>, const exported_rollout*> first;
  for (const auto& one : rollouts)
    for (const auto& arm : one.arms) {
      auto& known = first[{arm, one.task}];
      if (known == nullptr || one.trial < known->trial) known = &one;
    }
  std::set<std::string> out;
  for (const auto& [what, one] : first)
    out.insert(one->id);
  return out;
}

} // namespace

void evidence_rollouts::add(const manifest& about) {
  constexpr std::size_t few = 3;
  for (const auto& document : about.documents)
    for (const auto& line : document.evidence)
      for (const auto& insight : line.insights)
        for (std::size_t i = 0; i < insight.rollouts.size(); ++i) {
          const auto& job = insight.rollouts[i].job.value;
          all.insert(job);
          if (i < few) first.insert(job);
        }
}

void put_in_order(std::vector<exported_rollout>& rollouts,
                  const evidence_rollouts& evidence) {
  const auto first = first_attempts(rollouts);
  const auto rank = [&](const exported_rollout& one) {
    if (first.contains(one.id)) return 0;
    if (evidence.first.contains(one.id)) return 1;
    if (evidence.all.contains(one.id)) return 2;
    return one.arms.empty() ? 4 : 3;
  };
  std::ranges::stable_sort(rollouts, {}, rank);
}

} // namespace brewery::web

#pragma once
/// Of which rollouts a folder of limited size has what agents did. PURE.

#include "kb/manifest.hpp"

#include <set>
#include <string>
#include <vector>

namespace brewery::web {

struct exported_rollout {
  std::string id;
  std::string task;
  std::uint32_t trial = 0;
  std::vector<std::string> arms{}; ///< of the final evaluation; empty: search
};

/// The rollouts that published lines rest on.
struct evidence_rollouts {
  std::set<std::string> first{}; ///< a few of each insight
  std::set<std::string> all{};

  void add(const manifest& about);
};

/// Whoever opens the folder finds something everywhere before there is more of
/// anything: one attempt of each arm at each task, then a few rollouts of each
/// insight, the others of insights, the other attempts of arms, the rest. Those
/// of one kind stay in their order.
void put_in_order(std::vector<exported_rollout>& rollouts,
                  const evidence_rollouts& evidence);

} // namespace brewery::web

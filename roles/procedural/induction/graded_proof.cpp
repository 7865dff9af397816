#include "roles/procedural/induction/graded_proof.hpp"

#include "roles/procedural/procedural_reflector.hpp"

#include <algorithm>
#include <iterator>

namespace brewery {

namespace {

void sort_once(std::vector<rollout_number>& rollouts) {
  std::sort(rollouts.begin(), rollouts.end());
  rollouts.erase(std::unique(rollouts.begin(), rollouts.end()), rollouts.end());
}

} // namespace

graded_count count_met(const evidence_table& table,
                       std::vector<rollout_number> rollouts,
                       std::string_view check) {
  sort_once(rollouts);
  graded_count out;
  for (const auto rollout : rollouts)
    if (const auto met = table.met(rollout, check)) {
      ++out.of;
      out.met += *met ? 1 : 0;
    }
  return out;
}

std::vector<rollout_number> except(std::vector<rollout_number> some,
                                   std::vector<rollout_number> others) {
  sort_once(some);
  sort_once(others);
  std::vector<rollout_number> out;
  std::set_difference(some.begin(), some.end(), others.begin(), others.end(),
                      std::back_inserter(out));
  return out;
}

rule_proof prove(const evidence_table& table, std::string_view check,
                 std::vector<rollout_number> with,
                 const std::vector<rollout_number>& left) {
  sort_once(with);
  auto without = except(left, with);
  return {std::string{check},
          count_met(table, with, check),
          count_met(table, without, check),
          count_met(table, with, whole_task_check),
          count_met(table, without, whole_task_check),
          std::move(with),
          std::move(without)};
}

} // namespace brewery

#include "report/compare/measured_run.hpp"

#include "base/statistics.hpp"
#include "base/text.hpp"

namespace brewery {

result<measured_run> measured_run_in(const evaluated_run& run,
                                     const std::string& arm) {
  const auto found = find_arm(run, arm);
  if (!found) return found.error();
  // It begins with the benchmark's name and the hash of its data.
  const auto words = split(run.started.fingerprint, ' ');
  const auto word = [&](std::size_t i) {
    return i < words.size() ? words[i] : std::string_view{};
  };
  return measured_run{.name = run.where.id(),
                      .seed = run.options.run.seed,
                      .benchmark = std::string{word(0)},
                      .data = std::string{word(1)},
                      .trials = run.options.eval.test_trials,
                      .arm = **found};
}

values_by_task grades_of(const evaluation_record& arm) {
  values_by_task out;
  for (std::size_t i = 0; i < arm.tasks.size(); ++i)
    if (!arm.rewards[i].empty())
      out.emplace(arm.tasks[i].value, mean(arm.rewards[i]));
  return out;
}

values_by_task differences_of(const values_by_task& a,
                              const values_by_task& b) {
  values_by_task out;
  for (const auto& [task, value] : a)
    if (const auto other = b.find(task); other != b.end())
      out.emplace(task, value - other->second);
  return out;
}

} // namespace brewery

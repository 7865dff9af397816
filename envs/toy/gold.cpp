#include "envs/toy/tasks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

result<std::vector<toy_action>> toy_gold(const toy_options& options,
                                         const task_id& task) {
  const auto tasks = toy_tasks(options);
  const auto it =
      std::find_if(tasks.begin(), tasks.end(),
                   [&task](const auto& t) { return t.id == task.value; });
  if (it == tasks.end())
    return error{ec::not_found,
                 fmt::format("toy: there is no task '{}'", task.value)};
  const toy_vocabulary& words = options.vocabulary;
  const toy_device& start = it->start;
  std::vector<toy_action> out;
  for (std::size_t i = 0; i < start.switches.size(); ++i)
    if (!start.switches[i])
      out.push_back({words.toggle + "_" + words.switches[i]});
  if (start.outside && !start.guard)
    out.push_back({words.toggle + "_" + words.guard});
  for (std::size_t i = 0; i < start.dials.size(); ++i) {
    const std::size_t right = right_level(i, words.levels.size());
    if (start.dials[i] != right)
      out.push_back({words.set + "_" + words.dials[i],
                     {{words.level, words.levels[right]}}});
  }
  bool stuck = false;
  for (std::size_t i = 0; i < start.latches.size(); ++i)
    if (start.latches[i] == latch_state::stuck) {
      out.push_back({words.release + "_" + words.latches[i]});
      stuck = true;
    }
  if (stuck) out.push_back({words.restart + "_" + words.device});
  return out;
}

} // namespace brewery

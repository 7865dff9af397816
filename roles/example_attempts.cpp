#include "roles/example_attempts.hpp"

#include <map>
#include <utility>

namespace brewery {

std::vector<example_attempt>
shortest_of_each_task(std::vector<example_attempt> attempts) {
  std::map<task_id, example_attempt> shortest;
  for (auto& attempt : attempts) {
    if (attempt.steps.empty()) continue;
    auto& best = shortest[attempt.task];
    if (best.steps.empty() || attempt.steps.size() < best.steps.size())
      best = std::move(attempt);
  }
  std::vector<example_attempt> out;
  for (auto& [task, attempt] : shortest)
    out.push_back(std::move(attempt));
  return out;
}

} // namespace brewery

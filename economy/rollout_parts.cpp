#include "economy/rollout_parts.hpp"

#include "base/hash.hpp"

namespace brewery {

std::string sample_of(const rollout_job& work) {
  hash_input in;
  in.add(work.task.value).add(std::uint64_t{work.trial}).add(work.seed);
  return in.add(work.fingerprint).content();
}

bool may_be_reused(const rollout_job& work) {
  return !work.reflect && work.method.empty() && !work.knowledge.empty();
}

std::string hash_of_trajectory(const rollout_result& rollout) {
  hash_input in;
  for (const auto& step : rollout.steps)
    in.add(step.requestor)
        .add(step.tool)
        .add(step.arguments)
        .add(step.observation)
        .add(std::uint64_t{step.failed});
  for (const auto& answer : rollout.answers)
    in.add(std::uint64_t{answer.number})
        .add(answer.lacking)
        .add(answer.content);
  return in.content();
}

rollout_result brief_of(const rollout_result& whole) {
  rollout_result out;
  out.id = whole.id;
  out.task = whole.task;
  out.trial = whole.trial;
  out.error = whole.error;
  out.grade = whole.grade;
  out.asked = whole.asked;
  return out;
}

} // namespace brewery

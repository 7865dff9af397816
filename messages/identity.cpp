#include "base/hash.hpp"
#include "messages/grade_msgs.hpp"
#include "messages/search_msgs.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

void add_list(hash_input& in, const std::vector<std::string>& items) {
  in.add(std::uint64_t{items.size()});
  for (const auto& item : items)
    in.add(item);
}

} // namespace

job_id identity(const rollout_job& job) {
  hash_input in;
  in.add("rollout").add(job.task.value).add(std::uint64_t{job.trial});
  in.add(job.seed).add(std::uint64_t{job.reflect}).add(job.fingerprint);
  in.add(std::uint64_t{job.knowledge.size()});
  for (const auto& ref : job.knowledge)
    in.add(std::uint64_t{ref.concept_ref.value}).add(ref.hash.value);
  if (!job.method.empty()) in.add("method").add(job.method);
  return {in.content()};
}

insight_id identity(const insight& item) {
  hash_input in;
  in.add("insight").add(item.topic).add(item.sentence);
  const auto& fact = item.fact;
  in.add(fact.kind).add(fact.observation).add(fact.check);
  in.add(std::uint64_t{fact.met});
  add_list(in, fact.before);
  add_list(in, fact.after);
  add_list(in, fact.actions);
  add_list(in, fact.quiet);
  add_list(in, fact.context);
  return {in.content()};
}

job_id identity(const integrate_job& job) {
  hash_input in;
  in.add("integrate").add(std::uint64_t{job.concept_ref.value}).add(job.title);
  in.add(job.parent.value).add(std::uint64_t{job.draw}).add(job.seed);
  in.add(fmt::format("{}", job.temperature));
  in.add(std::uint64_t{job.insights.size()});
  for (const auto& counted : job.insights)
    in.add(counted.item.id.value).add(std::uint64_t{counted.count});
  // The rollouts say which insights have the same grade.
  for (const auto& counted : job.insights)
    for (const auto& rollout : counted.rollouts)
      in.add(rollout.value);
  return {in.content()};
}

job_id identity(const embed_job& job) {
  hash_input in;
  in.add("embed");
  add_list(in, job.texts);
  return {in.content()};
}

job_id identity(const grade_job& job) {
  hash_input in;
  in.add("grade").add(job.task.value).add(job.goldens);
  in.add(std::uint64_t{job.answers.size()});
  for (const auto& answer : job.answers) {
    in.add(std::uint64_t{answer.number}).add(std::uint64_t{answer.computed});
    in.add(answer.lacking).add(answer.content);
  }
  return {in.content()};
}

} // namespace brewery

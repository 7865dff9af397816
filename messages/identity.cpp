#include "base/hash.hpp"
#include "messages/grade_msgs.hpp"
#include "messages/memory/memory_msgs.hpp"
#include "messages/search_msgs.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

void add_list(hash_input& in, const std::vector<std::string>& items) {
  in.add(std::uint64_t{items.size()});
  for (const auto& item : items)
    in.add(item);
}

void add_list(hash_input& in, const std::vector<insight_id>& items) {
  in.add(std::uint64_t{items.size()});
  for (const auto& item : items)
    in.add(item.value);
}

std::string text_of(double value) {
  return fmt::format("{}", value);
}

void add_attempt(hash_input& in, const attempt_log& attempt) {
  in.add(attempt.rollout.value).add(attempt.cut_short);
  in.add(std::uint64_t{attempt.steps.size()});
  for (const auto& step : attempt.steps) {
    in.add(step.requestor).add(step.tool).add(step.arguments);
    in.add(step.observation).add(step.reason);
    in.add(std::uint64_t{step.failed}).add(std::uint64_t{step.mutates});
  }
  in.add(std::uint64_t{attempt.grade.size()});
  for (const auto& grade : attempt.grade) {
    in.add(text_of(grade.reward)).add(std::uint64_t{grade.parts.size()});
    for (const auto& part : grade.parts)
      in.add(part.name).add(std::uint64_t{part.met});
  }
}

void add_list(hash_input& in, const told_insights& told) {
  in.add(std::uint64_t{told.size()});
  for (const auto& counted : told)
    in.add(counted.item->id.value).add(std::uint64_t{counted.count});
  // The rollouts say which insights have the same grade.
  for (const auto& counted : told)
    for (const auto& rollout : counted.rollouts)
      in.add(rollout->value);
  for (const auto& counted : told)
    if (counted.succeeded > 0 || counted.reward > 0 || counted.fresh)
      in.add("outcome")
          .add(counted.item->id.value)
          .add(std::uint64_t{counted.succeeded})
          .add(text_of(counted.reward))
          .add(std::uint64_t{counted.fresh});
}

/// All that the list follows from, so that no list is made for its hash.
void add_pool(hash_input& in, const pool_reference& pool) {
  in.add("pool").add(pool.digest).add(std::uint64_t{pool.groups.size()});
  for (const auto& [id, leader] : pool.groups)
    in.add(id.value).add(leader.value);
  for (const auto iteration : pool.parent)
    in.add("parent").add(std::uint64_t{iteration});
}

/// What jobs of older releases lack, each under its name, so that a job without
/// it has the id it had.
void add_context(hash_input& in, const integrate_job& job) {
  for (const auto& line : job.parent_evidence) {
    in.add("line").add(std::uint64_t{line.line});
    add_list(in, line.insights);
  }
  if (const auto& score = job.parent_score; score.evaluated > 0)
    in.add("score")
        .add(std::uint64_t{score.evaluated})
        .add(text_of(score.reward))
        .add(text_of(score.correctness))
        .add(text_of(score.retrieval));
  for (const auto& check : job.missed)
    in.add("missed").add(check.name).add(check.met).add(check.of);
  if (!job.neighbours.empty()) {
    in.add("neighbours");
    add_list(in, job.neighbours);
  }
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
  add_list(in, fact.before.items());
  add_list(in, fact.after.items());
  add_list(in, fact.actions.items());
  add_list(in, fact.quiet.items());
  add_list(in, fact.context.items());
  return {in.content()};
}

job_id identity(const integrate_job& job, std::string_view integrator) {
  hash_input in;
  in.add("integrate").add(std::uint64_t{job.concept_ref.value}).add(job.title);
  in.add(job.parent.value).add(std::uint64_t{job.draw}).add(job.seed);
  in.add(text_of(job.temperature));
  if (const auto* pool = job.insights.reference())
    add_pool(in, *pool);
  else
    add_list(in, job.insights);
  add_context(in, job);
  if (!integrator.empty()) in.add("integrator").add(integrator);
  return {in.content()};
}

job_id identity(const embed_job& job) {
  hash_input in;
  in.add("embed");
  add_list(in, job.texts);
  return {in.content()};
}

job_id identity(const memory_job& job) {
  hash_input in;
  in.add("memory").add(job.learner).add(job.step).add(job.task.value);
  in.add(job.seed).add(job.fingerprint);
  in.add(std::uint64_t{job.texts.size()});
  for (const auto& one : job.texts)
    in.add(one.name).add(one.text);
  in.add(std::uint64_t{job.documents.size()});
  for (const auto& hash : job.documents)
    in.add(hash.value);
  in.add(std::uint64_t{job.attempts.size()});
  for (const auto& attempt : job.attempts)
    add_attempt(in, attempt);
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

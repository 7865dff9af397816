#pragma once
/// Job results without roles or environments. They are pure functions of the
/// job, to drive the state machines of a search. Nothing is learned, and
/// rewards have no meaning.

#include "base/rng.hpp"
#include "learners/brew/concept_search.hpp"
#include "messages/model_msgs.hpp"

namespace brewery::simulated {

inline insight simulated_insight(const std::string& topic,
                                 const std::string& text) {
  insight item;
  item.topic = topic;
  item.sentence = text;
  item.fact.kind = "outcome";
  item.id = identity(item);
  return item;
}

/// The fingerprint of the simulated goldens.
inline constexpr const char* simulated_goldens = "goldens";

/// A rollout leaves one of four answers. Equal answers of a task are one grade
/// job.
inline std::vector<answer_file> simulated_answers(const job_id& rollout) {
  answer_file out;
  out.content = std::to_string(hash64(rollout.value, 4) % 4);
  return {out};
}

/// The job that grades a rollout.
inline grade_job grade_work(const job_id& rollout, const task_id& task) {
  grade_job out;
  out.task = task;
  out.goldens = simulated_goldens;
  out.answers = simulated_answers(rollout);
  out.id = identity(out);
  return out;
}

/// Reward 0 or 1, depending on task and answer.
inline grade_result simulated_grade(const grade_job& work) {
  grade_result out;
  out.id = work.id;
  out.task = work.task;
  rng draw{rng_key(1, "grade", work.task.value, work.answers.front().content)};
  out.grade.reward = draw.below(2) == 0 ? 0.0 : 1.0;
  return out;
}

/// The number of model calls that a job makes, one after the other.
inline std::uint32_t simulated_calls(const job& work) {
  switch (kind_of(work)) {
  case job_kind::rollout:
    return static_cast<std::uint32_t>(hash64(work.id.value, 5) % 3);
  case job_kind::integrate:
    return 1;
  case job_kind::embed:
  case job_kind::grade:
  case job_kind::memory:
    break;
  }
  return 0;
}

inline model_call simulated_call(const job_id& job, std::uint32_t number) {
  model_call out;
  out.job = job;
  out.number = number;
  out.role = "agent";
  chat_request request;
  request.model = "simulated";
  request.messages.push_back(
      {chat_role::user, "question " + std::to_string(number), {}, {}, {}});
  out.request = std::move(request);
  return out;
}

/// A function of the call, so a repeated call gets the same reply.
inline model_answer simulated_reply(const model_call& call) {
  chat_reply reply;
  reply.content = std::to_string(
      rng_key(call.number, "reply", call.job.value,
              std::get<chat_request>(call.request).messages.front().content));
  model_answer out;
  out.reply = std::move(reply);
  return out;
}

/// A graded rollout with one insight per topic.
inline job_result simulated_rollout(const rollout_job& work,
                                    const std::vector<std::string>& topics) {
  rollout_result out;
  out.id = work.id;
  out.task = work.task;
  out.trial = work.trial;
  out.grade = simulated_grade(grade_work(work.id, work.task)).grade;
  std::vector<shared_value<insight>> insights;
  if (work.reflect)
    for (const auto& topic : topics)
      insights.emplace_back(
          simulated_insight(topic, "seen at " + work.task.value));
  out.insights = std::move(insights);
  return make_result(std::move(out));
}

/// The topics of the simulated insights; each becomes a concept.
inline const std::vector<std::string> simulated_topics{"pumps", "valves"};

/// Workers here make no lists: documents differ with the pools' names.
inline std::string what_is_told(const told_insights& told) {
  const auto* pool = told.reference();
  return pool ? pool->digest : std::to_string(told.size());
}

inline job_result simulated_answer(const job& work,
                                   const std::vector<std::string>& topics) {
  if (const auto* rollout = std::get_if<rollout_job>(&work.input))
    return simulated_rollout(*rollout, topics);
  if (const auto* grade = std::get_if<grade_job>(&work.input))
    return make_result(simulated_grade(*grade));
  if (const auto* memory = std::get_if<memory_job>(&work.input)) {
    memory_result out;
    out.id = work.id;
    out.texts = memory->texts;
    return make_result(std::move(out));
  }
  if (const auto* writing = std::get_if<integrate_job>(&work.input)) {
    const auto& request = *writing;
    integrate_result out;
    out.id = work.id;
    out.body = "# " + request.title + "\n\n" + request.parent.value + " "
               + std::to_string(request.draw) + " "
               + what_is_told(request.insights) + "\n";
    if (const auto* pool = request.insights.reference())
      out.evidence.push_back({3, {insight_id{pool->digest}}});
    return make_result(std::move(out));
  }
  embed_result out;
  out.id = work.id;
  for (const auto& text : std::get<embed_job>(work.input).texts) {
    rng draw{rng_key(1, "embed", text)};
    out.vectors.push_back({draw.uniform(), draw.uniform(), draw.uniform()});
  }
  return make_result(std::move(out));
}

inline std::vector<learner_task> simulated_tasks(const std::string& prefix,
                                                 std::size_t count) {
  std::vector<learner_task> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back({{prefix + std::to_string(i)},
                   prefix + " number " + std::to_string(i)});
  return out;
}

inline brew_settings simulated_settings() {
  brew_settings settings;
  settings.fingerprint = "simulated";
  settings.train = simulated_tasks("train", 4);
  settings.eval = simulated_tasks("eval", 3);
  settings.learner.iterations = 3;
  settings.learner.cluster_threshold = 0.999; // each topic is a concept
  settings.eval_choice.min_per_concept = 2;
  settings.eval_choice.max_per_concept = 3;
  settings.economy.wave = 1;
  return settings;
}

} // namespace brewery::simulated

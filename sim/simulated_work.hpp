#pragma once
/// Job results without roles or environments: pure functions of the job, so
/// that the machines of a search can be driven without any. Simulated: nothing
/// is learned and no reward means anything.

#include "base/rng.hpp"
#include "learners/brew/concept_search.hpp"

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

/// A graded rollout: reward 0 or 1 by the job's id, one insight per topic.
inline job_result simulated_rollout(const rollout_job& work,
                                    const std::vector<std::string>& topics) {
  rollout_result out;
  out.id = work.id;
  out.task = work.task;
  out.trial = work.trial;
  rng draw{rng_key(1, "simulated", work.id.value)};
  out.grade.reward = draw.below(2) == 0 ? 0.0 : 1.0;
  if (work.reflect)
    for (const auto& topic : topics)
      out.insights.push_back(
          simulated_insight(topic, "seen at " + work.task.value));
  return {work.id, {}, {out}, {}, {}};
}

/// What the simulated workers find out about: one concept each.
inline const std::vector<std::string> simulated_topics{"pumps", "valves"};

inline job_result simulated_answer(const job& work,
                                   const std::vector<std::string>& topics) {
  if (!work.rollout.empty())
    return simulated_rollout(work.rollout.front(), topics);
  if (!work.integrate.empty()) {
    const auto& request = work.integrate.front();
    integrate_result out;
    out.id = work.id;
    out.body = "# " + request.title + "\n\n" + request.parent.value + " "
               + std::to_string(request.draw) + " "
               + std::to_string(request.insights.size()) + "\n";
    if (!request.insights.empty())
      out.evidence.push_back({3, {request.insights.front().item.id}});
    return {work.id, {}, {}, {out}, {}};
  }
  embed_result out;
  out.id = work.id;
  for (std::size_t i = 0; i < work.embed.front().texts.size(); ++i) {
    rng draw{rng_key(1, "embed", work.embed.front().texts[i])};
    out.vectors.push_back({draw.uniform(), draw.uniform(), draw.uniform()});
  }
  return {work.id, {}, {}, {}, {out}};
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
  settings.learner.cluster_threshold = 0.999; // every topic is a concept
  settings.eval_choice.min_per_concept = 2;
  settings.eval_choice.max_per_concept = 3;
  return settings;
}

} // namespace brewery::simulated

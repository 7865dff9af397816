#include "run/evaluation/baselines.hpp"

#include "messages/job_msgs.hpp"
#include "roles/model/examples.hpp"
#include "roles/procedural/recorded_case.hpp"
#include "store/event_log.hpp"

#include <fmt/format.h>

#include <map>

namespace brewery {

namespace {

struct logged_rollout {
  const learner_task* task = nullptr;
  std::uint64_t event = 0; ///< 0: not in the log
};

/// The rollouts with which a search begins; see coordinator/phases.
std::map<std::string, logged_rollout>
initial_rollouts(const brew_settings& settings) {
  std::map<std::string, logged_rollout> out;
  for (const auto& task : settings.train)
    for (std::uint32_t i = 0; i < settings.learner.initial_trials; ++i)
      out[make_rollout_job(settings, task.id, i, {}, true).id.value] = {&task,
                                                                        0};
  return out;
}

result<void> add_attempt(const event_log& log, const logged_rollout& rollout,
                         std::vector<example_attempt>& to) {
  auto row = log.read(rollout.event);
  if (!row) return row.error();
  auto answer = wire::decode<job_result>(row->payload);
  if (!answer)
    return error{answer.error().code,
                 fmt::format("event {} of the log: {}", rollout.event,
                             answer.error().message)};
  auto* done = std::get_if<rollout_result>(&answer->output);
  if (done && done->outcome == rollout_outcome::graded
      && done->grade.reward >= 1)
    to.push_back(
        {done->task, rollout.task->instruction, std::move(done->steps)});
  return {};
}

std::vector<std::string> as_shown(const std::vector<example_attempt>& examples,
                                  std::string_view agent) {
  if (agent != "procedural") return example_documents(examples);
  std::vector<std::string> out;
  for (const auto& one : examples)
    out.push_back(recorded_case(one));
  return out;
}

} // namespace

result<std::vector<doc_ref>> example_knowledge(const run_directory& run,
                                               const brew_settings& settings,
                                               std::string_view agent,
                                               document_store& to) {
  auto rollouts = initial_rollouts(settings);
  const auto log = event_log::open_for_reading(run.path());
  if (!log) return log.error();
  auto read = (*log)->for_each(
      [&](const event_row& row) -> result<void> {
        if (row.kind != job_result::type_name) return {};
        const auto found = rollouts.find(row.key);
        if (found != rollouts.end()) found->second.event = row.seq;
        return {};
      },
      job_result::type_name);
  if (!read) return read.error();
  std::vector<example_attempt> attempts;
  for (const auto& [id, rollout] : rollouts)
    if (rollout.event != 0)
      if (auto ok = add_attempt(**log, rollout, attempts); !ok)
        return ok.error();
  std::vector<doc_ref> refs;
  for (auto& body :
       as_shown(shortest_of_each_task(std::move(attempts)), agent)) {
    const concept_id number{static_cast<std::uint32_t>(refs.size())};
    refs.push_back({number, to.add(std::move(body))->hash});
  }
  return refs;
}

} // namespace brewery

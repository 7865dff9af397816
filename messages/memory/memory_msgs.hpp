#pragma once
/// Work on the memory of a learner that a role does, and what it made of it: a
/// task condensed to search terms, hits turned into guidance, an attempt
/// condensed or abstracted. One kind of job for all learners and steps: which
/// texts a step gets and gives is said with its role (roles/memory). A job
/// names all that its result depends on, so an equal one is done once.

#include "messages/rollout_msgs.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace brewery {

struct named_text {
  std::string name;
  std::string text;
  BREWERY_FIELDS(named_text, name, text)
};

/// The texts of one name, in order.
inline std::vector<std::string> texts_of(const std::vector<named_text>& all,
                                         std::string_view name) {
  std::vector<std::string> out;
  for (const auto& one : all)
    if (one.name == name) out.push_back(one.text);
  return out;
}

/// An attempt as a role may read it.
struct attempt_log {
  job_id rollout;
  std::vector<trajectory_step> steps;
  std::string cut_short; ///< why it ended before the agent was done
  /// At most one. Empty: the role is not told, because the task is no train
  /// task or the step is blind.
  std::vector<grade_report> grade{};
  static constexpr bool omit_if_empty = true;
  static constexpr bool optional_field(std::string_view field) {
    return field == "grade";
  }
  BREWERY_FIELDS(attempt_log, rollout, steps, cut_short, grade)
};

struct memory_job {
  job_id id;
  std::string learner; ///< "agent_kb"
  std::string step;    ///< "reason", "refine", ...
  task_id task;        ///< empty value: it is about none
  std::uint64_t seed = 0;
  std::string fingerprint; ///< of the role that does it
  std::vector<named_text> texts;
  std::vector<doc_hash> documents; ///< whose texts are fetched by hash
  std::vector<attempt_log> attempts;
  BREWERY_FIELDS(memory_job, id, learner, step, task, seed, fingerprint, texts,
                 documents, attempts)
};

struct memory_result {
  job_id id;
  std::vector<named_text> texts;
  std::vector<reply_note> notes{};
  static constexpr bool omit_if_empty = true;
  static constexpr bool optional_field(std::string_view field) {
    return field == "notes";
  }
  BREWERY_FIELDS(memory_result, id, texts, notes)
};

/// The content hash of every other member.
job_id identity(const memory_job& job);

} // namespace brewery

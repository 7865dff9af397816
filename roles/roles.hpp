#pragma once
/// The roles of the method (BREW, arXiv:2511.20297, section 3): agent, judge,
/// reflector, integrator and embedder. Each is an interface with two families
/// of implementations: procedural (deterministic, without a language model) and
/// on a language model (llm_*). Implementations are immutable and shared by all
/// threads.

#include "base/result.hpp"
#include "envs/environment.hpp"
#include "messages/kb_msgs.hpp"
#include "messages/memory/memory_msgs.hpp"
#include "roles/retrieval_session.hpp"

#include <atomic>
#include <map>
#include <memory>
#include <string_view>

namespace brewery {

/// The result of an attempt, before it is graded.
struct trajectory {
  std::vector<trajectory_step> steps;
  /// If the attempt ended before the agent was done: the reason, in one line.
  /// Otherwise empty. The environment grades such an attempt as it is.
  std::string cut_short = {};
  /// The agent's model said nothing although it could go on, and `cut_short`
  /// says so. Such an attempt scores 0, whatever it left.
  bool broke_off = false;
  /// At most one: with the method of the learner MUSE.
  std::vector<muse_attempt> muse = {};
  /// As in `rollout_result`.
  std::uint32_t before_draw = 0;
};

/// How an agent approaches a task; the baselines of BREW (arXiv:2511.20297),
/// A.3.
namespace methods {
inline constexpr std::string_view plain = "";
/// The agent first works out the principles of such tasks.
inline constexpr std::string_view step_back = "step-back";
/// The documents are examples: records of successful attempts.
inline constexpr std::string_view in_context = "in-context";
/// The agent plans sub-tasks, checks each by itself, and is given a memory
/// (MUSE, arXiv:2510.08002). Its documents are the memory's.
inline constexpr std::string_view muse = "muse";
/// The same, and nothing is remembered: a model is not asked what it learned.
inline constexpr std::string_view muse_frozen = "muse-frozen";
/// The agent only looks around, and nothing is graded. The procedural agent.
inline constexpr std::string_view survey = "survey";
/// The documents were chosen for the task, so the first retrieval shows all.
inline constexpr std::string_view given = given_method;
} // namespace methods

/// The job that a role works for. Each model call contains the job's id, so a
/// repeated job gets the same replies again.
struct job_context {
  job_id job;
  std::uint32_t calls = 0;                      ///< model calls made so far
  const std::atomic<bool>* cancelled = nullptr; ///< null: cannot be cancelled
  std::string_view method = {};       ///< one of `methods`; for the agent
  std::vector<reply_note> notes = {}; ///< on replies of models so far
  run_id run = {}; ///< whose job it is, if the process plays several runs

  /// Counts a trouble. The note keeps the first reason, as one short line.
  void note(std::string_view role, std::string_view what,
            std::string_view reason);

  [[nodiscard]] bool has_note(std::string_view role,
                              std::string_view what) const;

  /// The number of calls when that was so last; none: it never was.
  std::optional<std::uint32_t> rejected_at = {};
  /// Whether all that it said in place of that reply was empty or a refusal.
  bool said_nothing = false;
};

/// Attempts a task in an environment, with retrieved documents.
class agent {
public:
  virtual ~agent() = default;

  /// Version and options; part of a rollout's job id.
  virtual std::string fingerprint() const = 0;

  /// `draw_key` seeds every random choice (base/rng.hpp). An error means that
  /// the agent could not act (its model failed) and there is nothing to grade.
  virtual result<trajectory> attempt(const task_info& task, environment& env,
                                     retrieval_session& retrieval,
                                     std::uint64_t draw_key,
                                     job_context& context) const = 0;
};

/// A graded attempt, as input for the judge and the reflector.
struct graded_attempt {
  const task_info& task;
  const std::vector<trajectory_step>& steps;
  const grade_report& grade;
  /// The concepts of the knowledge base it used: the documents' titles.
  std::vector<std::string> concepts = {};
  std::string briefing = {}; ///< the benchmark's, as the agent was told it
  const std::vector<tool_spec>* tools = nullptr; ///< its tools; null: not known
  /// The documents that were retrieved, each once, in order.
  std::vector<std::string> documents = {};
};

/// Rates general behaviour on rubrics (BREW, arXiv:2511.20297, section 3.1).
class judge {
public:
  virtual ~judge() = default;
  virtual result<std::vector<rubric_rating>>
  rate(const graded_attempt& attempt, job_context& context) const = 0;
};

/// Turns a graded rollout into (concept, insight) pairs (BREW,
/// arXiv:2511.20297, equation 1).
class reflector {
public:
  virtual ~reflector() = default;
  virtual result<std::vector<insight>>
  reflect(const graded_attempt& attempt,
          const std::vector<rubric_rating>& ratings,
          job_context& context) const = 0;
};

/// What judge and reflector make of an attempt. Either may have failed.
struct review {
  result<std::vector<rubric_rating>> ratings;
  result<std::vector<insight>> insights;
};

/// Judge and reflector in one, so that the attempt is read once.
class reviewer {
public:
  virtual ~reviewer() = default;
  virtual review study(const graded_attempt& attempt,
                       job_context& context) const = 0;
};

/// Turns insights and the parent document into the next document (BREW,
/// arXiv:2511.20297, equation 2).
class integrator {
public:
  virtual ~integrator() = default;

  /// `parent` is null for a root.
  virtual result<integrate_result> integrate(const integrate_job& job,
                                             const document* parent,
                                             job_context& context) const = 0;
};

/// Does the steps of one learner on its memory; roles/memory says which.
class memory_worker {
public:
  virtual ~memory_worker() = default;

  /// Version, options and models; part of the id of each of its jobs.
  virtual std::string fingerprint() const = 0;

  /// `documents`: the texts of those that the job names, in order. Error
  /// ec::invalid_argument: the step is not known, or lacks a text.
  virtual result<memory_result>
  perform(const memory_job& job, const std::vector<std::string>& documents,
          job_context& context) const = 0;
};

/// Makes the other participants of a rollout: the user and the statement judge.
/// They belong to one job, whose context must outlive them.
class participants_maker {
public:
  virtual ~participants_maker() = default;
  virtual participants make(job_context& context) const = 0;
};

/// Turns texts into unit vectors of the same length.
class embedder {
public:
  virtual ~embedder() = default;
  virtual result<std::vector<std::vector<double>>>
  embed(const std::vector<std::string>& texts, job_context& context) const = 0;
};

/// The roles that a worker needs for its jobs.
struct role_set {
  std::shared_ptr<const brewery::agent> agent;
  std::shared_ptr<const brewery::judge> judge;
  std::shared_ptr<const brewery::reflector> reflector;
  std::shared_ptr<const brewery::integrator> integrator;
  std::shared_ptr<const brewery::embedder> embedder;
  std::shared_ptr<const brewery::participants_maker> participants =
      {}; ///< null: none
  /// Null: the judge is asked first, then the reflector.
  std::shared_ptr<const brewery::reviewer> reviewer = {};
  /// By learner; empty: only BREW learns here, which has no such steps.
  std::map<std::string, std::shared_ptr<const memory_worker>> memory = {};
};

} // namespace brewery

#pragma once
/// The roles of the method (papers/000, section 3): agent, judge, reflector,
/// integrator and embedder. Each is an interface with two families of
/// implementations: procedural (no language model, deterministic) and on a
/// language model (llm_*). Implementations are immutable and shared by all
/// threads.

#include "base/result.hpp"
#include "envs/environment.hpp"
#include "messages/kb_msgs.hpp"
#include "roles/librarian.hpp"

#include <atomic>
#include <memory>
#include <string_view>

namespace brewery {

/// What an attempt leaves behind, before it is graded.
struct trajectory {
  std::vector<trajectory_step> steps;
  /// Why it ended before the agent was done, one line; empty: it did not. The
  /// environment grades it as it stands.
  std::string cut_short = {};
};

/// How an agent goes about a task; the baselines of papers/000, A.3.
namespace methods {
inline constexpr std::string_view plain = "";
/// Works out what governs such tasks before it begins.
inline constexpr std::string_view step_back = "step-back";
/// The documents are not notes but records of tasks that were done.
inline constexpr std::string_view in_context = "in-context";
} // namespace methods

/// The job a role works for. A role that asks a language model names it, so
/// that a job done once more gets the replies it got before.
struct job_context {
  job_id job;
  std::uint32_t calls = 0;                      ///< model calls made so far
  const std::atomic<bool>* cancelled = nullptr; ///< null: cannot be
  std::string_view method = {};                 ///< of `methods`, for the agent
};

/// Attempts a task in an environment with the documents the librarian finds.
class agent {
public:
  virtual ~agent() = default;

  /// Version and options: part of a rollout's key.
  virtual std::string fingerprint() const = 0;

  /// `draw_key` seeds every random choice (base/rng.hpp). An error: the agent
  /// could not act (its model failed); there is nothing to grade.
  virtual result<trajectory> attempt(const task_info& task, environment& env,
                                     librarian& library, std::uint64_t draw_key,
                                     job_context& context) const = 0;
};

/// A graded attempt, as judge and reflector see it.
struct graded_attempt {
  const task_info& task;
  const std::vector<trajectory_step>& steps;
  const grade_report& grade;
  /// Titles of the knowledge base it was made with: the concepts there are.
  std::vector<std::string> concepts = {};
};

/// Rates general behaviour (papers/000, section 3.1).
class judge {
public:
  virtual ~judge() = default;
  virtual result<std::vector<rubric_rating>>
  rate(const graded_attempt& attempt, job_context& context) const = 0;
};

/// Rollout with labels -> (concept, insight) pairs (papers/000, eq. 1).
class reflector {
public:
  virtual ~reflector() = default;
  virtual result<std::vector<insight>>
  reflect(const graded_attempt& attempt,
          const std::vector<rubric_rating>& ratings,
          job_context& context) const = 0;
};

/// Insights and the parent document -> the next document (papers/000, eq. 2).
class integrator {
public:
  virtual ~integrator() = default;

  /// `parent` is null for a root.
  virtual result<integrate_result> integrate(const integrate_job& job,
                                             const document* parent,
                                             job_context& context) const = 0;
};

/// Who else takes part in a rollout: the user, the judge of statements. Made
/// for one job, whose context has to outlive them.
class company_maker {
public:
  virtual ~company_maker() = default;
  virtual company make(job_context& context) const = 0;
};

/// Texts -> unit vectors of one length.
class embedder {
public:
  virtual ~embedder() = default;
  virtual result<std::vector<std::vector<double>>>
  embed(const std::vector<std::string>& texts, job_context& context) const = 0;
};

/// One of each, as a worker needs them.
struct job_roles {
  std::shared_ptr<const agent> actor;
  std::shared_ptr<const judge> critic;
  std::shared_ptr<const reflector> learner;
  std::shared_ptr<const integrator> writer;
  std::shared_ptr<const embedder> space;
  std::shared_ptr<const company_maker> others = {}; ///< null: nobody
};

} // namespace brewery

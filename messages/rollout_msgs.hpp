#pragma once
/// Messages about rollouts: one attempt of the agent at one task under one
/// knowledge base, its grade, and the insights from it. Plain described
/// structs; CAF carries them inside a process, messages/wire between processes.

#include "messages/memory/muse_msgs.hpp"
#include "messages/packed_rollout_insights.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// One document of a knowledge base, by content hash. The text is fetched by
/// hash.
struct doc_ref {
  concept_id concept_ref;
  doc_hash hash;
  BREWERY_FIELDS(doc_ref, concept_ref, hash)
};

/// One tool call and its result.
struct trajectory_step {
  std::string requestor; ///< "assistant" or "user"
  std::string tool;
  std::string arguments; ///< JSON object text
  std::string observation;
  bool failed = false;  ///< the tool reported an error
  bool mutates = false; ///< the tool may change state (not a look-up)
  std::string
      reason; ///< why the agent made the call: "look", "explore", "rule"
  BREWERY_FIELDS(trajectory_step, requestor, tool, arguments, observation,
                 failed, mutates, reason)
};

/// One retrieval of the agent, with the documents in the order returned.
struct retrieval_record {
  std::uint32_t step = 0; ///< number of steps before it
  std::string query;
  std::vector<doc_hash> documents;
  BREWERY_FIELDS(retrieval_record, step, query, documents)
};

/// One check of a grader, e.g. an environment assertion.
struct grade_part {
  std::string name; ///< check with its arguments: equal names mean equal checks
  bool met = false;
  BREWERY_FIELDS(grade_part, name, met)
};

/// How often a check was met, of the attempts that had it.
struct check_share {
  std::string name;
  std::uint64_t met = 0;
  std::uint64_t of = 0;
  BREWERY_FIELDS(check_share, name, met, of)
};

struct grade_report {
  double reward = 0; ///< [0, 1]; 1 is success
  std::vector<grade_part> parts;
  BREWERY_FIELDS(grade_report, reward, parts)
};

/// What an attempt leaves for one case of its task.
struct answer_file {
  std::uint32_t number = 1; ///< number of the case
  bool computed = false;    ///< formulas were recalculated on the way
  std::string lacking;      ///< why there is no answer; empty: there is one
  std::string content;
  BREWERY_FIELDS(answer_file, number, computed, lacking, content)
};

/// A judge's rating of a trajectory on one behaviour rubric.
struct rubric_rating {
  std::string rubric;
  double score = 0; ///< [0, 1]
  std::string reason;
  BREWERY_FIELDS(rubric_rating, rubric, score, reason)
};

/// The kinds of `reply_note`.
namespace reply_trouble {
/// A reply that cannot be used, nor can the one after it.
inline constexpr std::string_view rejected = "rejected";
/// The server refused to answer: its filter, or a prompt that is too long.
inline constexpr std::string_view refused = "refused";
inline constexpr std::string_view dropped = "dropped"; ///< an unusable insight
inline constexpr std::string_view cut = "cut"; ///< cut off at the most tokens
/// Words where only a call counts.
inline constexpr std::string_view words = "words";
/// A document that was cut to the length that it may have.
inline constexpr std::string_view shortened = "shortened";
/// Insights that an integrator was not told, because they were too many.
inline constexpr std::string_view left_out = "left_out";
/// A document that lacks facts of the one before it, or insights.
inline constexpr std::string_view lost = "lost";
inline constexpr std::string_view repaired = "repaired"; ///< asked for again
/// A call with arguments that cannot be read.
inline constexpr std::string_view bad_arguments = "bad_arguments";
/// The conversation exceeded the model's context.
inline constexpr std::string_view overflowed = "overflowed";
} // namespace reply_trouble

/// What was wrong with replies of a role's model in a job that has a result.
struct reply_note {
  std::string role; ///< "judge"
  std::string what; ///< one of `reply_trouble`
  std::uint32_t count = 0;
  std::string reason; ///< of the first, one line
  BREWERY_FIELDS(reply_note, role, what, count, reason)
};

/// All that results depend on, but for what a job names: data, roles, their
/// options and models, as text (ADR 0032).
struct fingerprints {
  std::string whole;        ///< of a run
  std::string playing{};    ///< of rollouts without reflection
  std::string reflecting{}; ///< of rollouts with it
  /// Of documents; empty: of the usual procedural integrator.
  std::string integrating{};
};

/// The method of a rollout with documents that were chosen for its task: the
/// first retrieval returns all of them, in their order, whatever it asks, and a
/// reflector is not told their titles as concepts. A worker of an older release
/// does not know it and finds documents by the query, so what counts is what
/// the result's `retrievals` say was shown.
inline constexpr std::string_view given_method = "given";

/// All that a rollout may depend on. `id` is the hash of the other members.
struct rollout_job {
  job_id id;
  task_id task;
  std::uint32_t trial = 0;
  /// The search's seed. With task and trial it fixes all draws.
  std::uint64_t seed = 0;
  std::vector<doc_ref> knowledge; ///< empty: no knowledge base
  bool reflect = false;           ///< run judge and reflector too
  std::string fingerprint;        ///< one of `fingerprints`
  std::string method; ///< how the agent approaches the task; empty: default
  static constexpr bool omit_if_empty = true;
  static constexpr bool optional_field(std::string_view field) {
    return field == "method";
  }
  BREWERY_FIELDS(rollout_job, id, task, trial, seed, knowledge, reflect,
                 fingerprint, method)
};

enum class rollout_outcome : std::uint8_t {
  graded = 0,            ///< the grade counts
  environment_error = 1, ///< the environment broke: not a score of 0
  quarantined = 2, ///< given up after failing on several workers: no score
};

/// Of an agent that made no random choice.
inline constexpr auto never_drew = std::numeric_limits<std::uint32_t>::max();

struct rollout_result {
  job_id id;
  task_id task;
  std::uint32_t trial = 0;
  rollout_outcome outcome = rollout_outcome::graded;
  std::string error; ///< one line: the failure of the environment, or, of a
                     ///< graded rollout, why the attempt was cut short
  grade_report grade;
  std::vector<trajectory_step> steps;
  std::vector<retrieval_record> retrievals;
  std::vector<rubric_rating> ratings;
  rollout_insights insights;
  std::uint64_t duration_us = 0; ///< wall time: for people, never for decisions
  /// Files that were graded, kept so they can be regraded without a new
  /// rollout.
  std::vector<answer_file> answers{};
  /// Without usable replies of the judge or the reflector, there are no ratings
  /// or insights, and this says why.
  std::vector<reply_note> notes{};
  /// What the agent asked for documents first, if not with the task's subject.
  std::string asked{};
  /// The concepts of the job's knowledge base as its retrieval ranks them for
  /// what was asked first, else for the task's subject: best first, at most
  /// 1,000. Only without reflection, and only if vectors rank: BM25 alone can
  /// be repeated by everybody.
  std::vector<concept_id> ranking{};
  /// The rollout whose outcome stands for this one, which was not played: its
  /// agent would have read the same. The trajectory is with that rollout.
  std::string reused_from{};
  /// At most one: of an attempt with the method of the learner MUSE.
  std::vector<muse_attempt> muse{};
  /// How many retrievals the agent made before its first random choice; if it
  /// made no such choice, `never_drew`. Every trial of the task goes alike
  /// until then if it reads the same. 0: none, or not known.
  std::uint32_t before_draw = 0;
  static constexpr bool omit_if_empty = true;
  static constexpr bool optional_field(std::string_view field) {
    return field == "answers" || field == "notes" || field == "asked"
           || field == "ranking" || field == "reused_from" || field == "muse"
           || field == "before_draw";
  }
  /// The trajectory, which only readers of a log need.
  static constexpr bool bulky_field(std::string_view field) {
    return field == "steps" || field == "retrievals" || field == "answers";
  }
  BREWERY_FIELDS(rollout_result, id, task, trial, outcome, error, grade, steps,
                 retrievals, ratings, insights, duration_us, answers, notes,
                 asked, ranking, reused_from, muse, before_draw)
};

/// The job's identity: the content hash of every other member.
job_id identity(const rollout_job& job);

/// The job with `given_method`.
inline rollout_job with_all_shown(rollout_job job) {
  job.method = given_method;
  job.id = identity(job);
  return job;
}

} // namespace brewery

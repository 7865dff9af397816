#pragma once
/// A learner beside BREW, as the run plays it: its decisions as state machines.
/// Results of jobs go in; jobs and records for the log come out. A machine is
/// owned by one actor (coordinator/learner_actor), which plays it on the same
/// ledger, pool and log as a search of BREW: each job is done once, and a
/// resume replays the log through the machine. So a machine must not depend on
/// the order in which results arrive, on clocks or on chance.
///
/// To add a learner: implement `learner`, make it in run/learners. PURE.

#include "learners/brew/settings.hpp"
#include "messages/job_msgs.hpp"
#include "messages/search_msgs.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace brewery {

/// A decision for the log, e.g. a memory_record. Under one kind and key there
/// is one payload for ever: another one is an error when a run is resumed.
struct learner_record {
  std::string kind, key, payload;
};

struct wanted_job {
  job work;
  /// The answer of a rollout has its trajectory, which otherwise stays in the
  /// log; of one that was not played, that of the rollout that stands for it.
  bool whole = false;
};

/// The orders of one step. The owner carries them out in the order of the
/// members; jobs wait until the records are on disk.
struct learner_step {
  std::vector<learner_record> records;
  std::vector<wanted_job> jobs;
  bool finished = false;       ///< nothing is waited for any more
  std::optional<error> failed; ///< the machine cannot continue
};

/// What a machine is doing, for people.
struct learner_view {
  std::string phase;
  std::uint32_t round = 0;
  std::uint32_t rounds = 0; ///< 0: not known
};

class learner_machine {
public:
  learner_machine() = default;
  learner_machine(const learner_machine&) = delete;
  learner_machine& operator=(const learner_machine&) = delete;
  virtual ~learner_machine() = default;

  virtual learner_step begin() = 0;
  /// Of a job that it asked for, once for each time that it did. A job that was
  /// given up has an error and no output, but for a rollout, which has its
  /// outcome.
  virtual learner_step on(const job_result& answer) = 0;
  [[nodiscard]] virtual learner_view view() const = 0;
};

/// Serves an arm of an evaluation: the learner's way to attempt tasks, with its
/// memory as it stands.
class serving_machine : public learner_machine {
public:
  /// Once it has finished.
  [[nodiscard]] virtual evaluation_record measured() const = 0;
  /// The rollouts that these rewards are of: the trials of a task one after the
  /// other, an empty id where there is none. Once it has finished.
  [[nodiscard]] virtual std::vector<job_id> attempts() const = 0;
};

/// The tasks of an evaluation.
struct evaluated_tasks {
  std::string split; ///< its name, for people
  std::vector<learner_task> tasks;
  std::uint32_t trials = 1; ///< of each
};

class learner {
public:
  learner() = default;
  learner(const learner&) = delete;
  learner& operator=(const learner&) = delete;
  virtual ~learner() = default;

  /// As in `search.learner`; also names what it learned.
  [[nodiscard]] virtual std::string name() const = 0;

  /// Learns from the train tasks. To be finished before the rest is called. The
  /// learner outlives its machines.
  virtual std::shared_ptr<learner_machine> learning() = 0;

  /// Its memory, as documents.
  [[nodiscard]] virtual search_outcome outcome() const = 0;

  /// What it has to say in a run's report, as Markdown; empty: nothing.
  [[nodiscard]] virtual std::string report() const { return {}; }

  /// The arms that it adds to an evaluation. The first one is the run's score;
  /// its name is "learned, " and the learner's. The names of the others begin
  /// with the learner's and ", "; they are in the order of their names.
  virtual std::vector<std::shared_ptr<serving_machine>>
  serving(const evaluated_tasks& what) = 0;
};

} // namespace brewery

#pragma once
/// The environment port: what a rollout needs from a benchmark. Adapters
/// in the folders below envs/ implement it. Roles and workers use it
/// without knowing the benchmark.
///
/// A `benchmark` is loaded once, immutable, and shared by all threads. It makes
/// `environment`s. Each is owned by one rollout on one thread and shares no
/// mutable state.

#include "base/ids.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "envs/participants.hpp"
#include "envs/screen.hpp"
#include "messages/json.hpp"
#include "messages/rollout_msgs.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

enum class tool_kind : std::uint8_t {
  read,    ///< only reads
  write,   ///< may change state
  generic, ///< neither: e.g. a calculator, a transfer
  finish,  ///< ends the attempt; only as part of a turn (`take_turn`)
};

struct tool_parameter {
  std::string name;
  std::string type; ///< JSON schema: string number integer boolean array object
  std::string description;
  std::vector<std::string> choices; ///< allowed values, if the tool lists them
  bool required = true;
  std::string items{}; ///< of an array: type of each item; empty: any
};

struct tool_spec {
  std::string requestor; ///< owner of the tool: "assistant" or "user"
  std::string name;
  tool_kind kind = tool_kind::read;
  std::string description;
  std::vector<tool_parameter> parameters;
};

/// The outcome of an agent's turn.
struct turn_outcome {
  std::vector<tool_result> results; ///< of its calls, in order
  std::string reply;                ///< what the user said; empty: nothing
  bool over = false;                ///< later turns have no effect
  /// All events in order: the agent's words and calls, and those of a user.
  std::vector<trajectory_step> events;
};

/// The tool name of a trajectory step that is words, which are in
/// `observation`.
inline constexpr std::string_view words_tool = "";

class environment {
public:
  virtual ~environment() = default;

  /// The tools that the agent may call, in a fixed order.
  virtual const std::vector<tool_spec>& tools() const = 0;

  /// Calls a tool by name, outside of a turn. An agent that uses only this is
  /// done after its last call. Unknown names and bad arguments give the
  /// benchmark's answer: a failed result, never an exception.
  virtual tool_result call(std::string_view name, const json& arguments) = 0;

  /// The answer that a reading tool would give now, without any effect: not on
  /// the state, not on limits, and not on what a grader sees. Empty: this
  /// environment cannot, or the tool is not one that only reads.
  virtual std::optional<tool_result> probe(std::string_view /*name*/,
                                           const json& /*arguments*/) {
    return std::nullopt;
  }

  /// What the benchmark tells the agent about its work: a policy. Empty: none.
  virtual std::string briefing() const { return {}; }

  /// The first words of the user. Call it once, before any turn. Empty: nobody
  /// speaks, and the task's instruction comes first. Earlier words and actions
  /// are reported with the first turn. An error, of a user who failed, ends the
  /// rollout without a score.
  virtual result<std::string> opening() { return std::string{}; }

  /// Takes a whole turn of an agent that talks and calls. Without a user, words
  /// without a call end the attempt. After the end, turns have no effect. An
  /// error ends the rollout without a score.
  virtual result<turn_outcome> take_turn(const turn& move);

  /// What the screen shows now, for an agent that looks at one. Error
  /// ec::environment: there is none, or it cannot be read; the latter ends the
  /// rollout without a score.
  virtual result<screen> look();

  /// Grades what was done so far. An error means that no grade is possible (a
  /// judge failed); the rollout has no score.
  virtual result<grade_report> grade() = 0;

  /// After the grade: how many of the task's checkpoints
  /// (`benchmark::checkpoints`) are met.
  virtual std::uint32_t checkpoints_met() const { return 0; }

  /// After the grade: the graded files, if they can be regraded.
  virtual std::vector<answer_file> take_answers() { return {}; }
};

struct task_info {
  task_id id;
  std::string instruction; ///< for the agent (tau2 solo: the ticket)
  /// The subject of the task, if it is not the instruction. Used to choose
  /// tasks and documents. The agent never sees it; without an instruction,
  /// judge and reflector do.
  std::string subject{};

  [[nodiscard]] const std::string& about() const {
    return subject.empty() ? instruction : subject;
  }
};

class benchmark {
public:
  virtual ~benchmark() = default;

  virtual std::string_view name() const = 0;

  /// Content hash of data and adapter version; part of every rollout's job id.
  virtual const std::string& fingerprint() const = 0;

  virtual const std::vector<task_info>& tasks() const = 0;

  /// Split name -> indices into tasks(), in file order.
  virtual const std::map<std::string, std::vector<std::size_t>>&
  splits() const = 0;

  /// How many checkpoints the task has: points of partial progress, which
  /// learners that score by them count (MUSE, arXiv:2510.08002, section 4.1).
  /// Known before an attempt, so one that breaks keeps its denominator. They
  /// are no parts of the grade. 0: the task has none.
  virtual std::uint32_t checkpoints(const task_id& /*task*/) const { return 0; }

  /// Makes an environment in the task's initial state. Error ec::environment if
  /// the state cannot be set up, ec::invalid_argument if the task needs a
  /// participant who is not in `with`.
  virtual result<std::unique_ptr<environment>>
  make(const task_id& task, const participants& with = {}) const = 0;

  /// Content hash of the goldens and of the comparison with them. Empty: there
  /// are none, or not in this process.
  virtual const std::string& goldens() const {
    static const std::string none;
    return none;
  }

  /// Compares answers with the goldens; null without goldens.
  virtual const answer_grader* grader() const { return nullptr; }

  /// Stops the benchmark's child processes; they restart on demand.
  virtual void release_children() const {}
};

} // namespace brewery

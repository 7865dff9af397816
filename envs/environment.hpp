#pragma once
/// The environment port: what a rollout needs from a benchmark. Adapters
/// (envs/tau2, envs/toy, later others) implement it; roles and workers use it
/// and never know which benchmark is behind it.
///
/// Ownership: a `benchmark` is loaded once, immutable and shared by all
/// threads; it makes `environment`s, each owned by one rollout on one thread.
/// An environment keeps all its state to itself.

#include "base/ids.hpp"
#include "base/result.hpp"
#include "envs/company.hpp"
#include "messages/rollout_msgs.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// Key order is meaning (look-ups go in file order; texts echo it).
using json = nlohmann::ordered_json;

enum class tool_kind : std::uint8_t {
  read,    ///< looks only
  write,   ///< may change state
  generic, ///< neither: a calculator, a hand-over
  finish,  ///< ends the attempt; only as part of a turn (`take_turn`)
};

struct tool_parameter {
  std::string name;
  std::string type; ///< JSON schema: string number integer boolean array object
  std::string description;
  std::vector<std::string> choices; ///< allowed values, if the tool lists them
  bool required = true;
};

struct tool_spec {
  std::string requestor; ///< whose tool kit: "assistant" or "user"
  std::string name;
  tool_kind kind = tool_kind::read;
  std::string description;
  std::vector<tool_parameter> parameters;
};

/// What came of an agent's turn.
struct turn_outcome {
  std::vector<tool_result> results; ///< of its calls, in their order
  std::string reply; ///< what the other side said; empty: nothing
  bool over = false; ///< no further turn counts
  /// Everything that happened, in order: the agent's words and calls, and what
  /// a user said and called.
  std::vector<trajectory_step> events;
};

/// The tool of a trajectory step that is words: `observation` holds them.
inline constexpr std::string_view words_tool = "";

class environment {
public:
  virtual ~environment() = default;

  /// The tools the agent may call, in a fixed order.
  virtual const std::vector<tool_spec>& tools() const = 0;

  /// Calls a tool by name, outside any turn: whoever plays call by call is
  /// done when the last call is. Unknown names and bad arguments are answered
  /// as the benchmark answers them: a failed result, never an exception.
  virtual tool_result call(std::string_view name, const json& arguments) = 0;

  /// What the benchmark tells an agent about its work: a policy. Empty: none.
  virtual std::string briefing() const { return {}; }

  /// The first words of the other side, asked for once, before any turn.
  /// Empty: nobody speaks, the task's instruction starts. What was said and
  /// done before them, or that whoever should speak failed, comes with the
  /// first turn.
  virtual std::string opening() { return {}; }

  /// A whole turn of an agent that talks as well as calls. Where there is
  /// nobody to talk to, words without a call end the attempt. After the end
  /// nothing happens any more. An error ends the rollout without a score.
  virtual result<turn_outcome> take_turn(const turn& move);

  /// Grades what was done so far. An error: it cannot be told (a judge failed);
  /// the rollout has no score.
  virtual result<grade_report> grade() = 0;

  /// After the grade: what it is of, where that can be graded again.
  virtual std::vector<answer_file> take_answers() { return {}; }
};

struct task_info {
  task_id id;
  std::string instruction; ///< what the agent is told (tau2 solo: the ticket)
  /// What it is about, where that is not the instruction: for choosing among
  /// tasks and documents. The agent never sees it.
  std::string subject{};

  [[nodiscard]] const std::string& about() const {
    return subject.empty() ? instruction : subject;
  }
};

class benchmark {
public:
  virtual ~benchmark() = default;

  virtual std::string_view name() const = 0;

  /// Content hash of data and adapter version: part of every rollout's key.
  virtual const std::string& fingerprint() const = 0;

  virtual const std::vector<task_info>& tasks() const = 0;

  /// Split name -> indices into tasks(), in file order.
  virtual const std::map<std::string, std::vector<std::size_t>>&
  splits() const = 0;

  /// A fresh environment in the task's initial state. Error
  /// ec::environment when the state cannot be set up, ec::invalid_argument when
  /// the task needs somebody who is not in `with`.
  virtual result<std::unique_ptr<environment>>
  make(const task_id& task, const company& with = {}) const = 0;

  /// Content hash of what only graders may have, and of how they compare with
  /// it. Empty: there is no such thing, or not here.
  virtual const std::string& goldens() const {
    static const std::string none;
    return none;
  }

  /// Who compares with the goldens; null without them.
  virtual const answer_grader* grader() const { return nullptr; }

  /// For whoever has others play: what is at work for it in child processes
  /// ends, and is started again should it be needed.
  virtual void rest() const {}
};

} // namespace brewery

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

struct tool_result {
  std::string content;
  bool failed = false;
};

class environment {
public:
  virtual ~environment() = default;

  /// The tools the agent may call, in a fixed order.
  virtual const std::vector<tool_spec>& tools() const = 0;

  /// Calls a tool by name. Unknown names and bad arguments are answered as the
  /// benchmark answers them: a failed result, never an exception.
  virtual tool_result call(std::string_view name, const json& arguments) = 0;

  /// Grades what was done so far.
  virtual grade_report grade() = 0;
};

struct task_info {
  task_id id;
  std::string instruction; ///< what the agent is told (tau2 solo: the ticket)
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
  /// ec::environment when the state cannot be set up.
  virtual result<std::unique_ptr<environment>>
  make(const task_id& task) const = 0;
};

} // namespace brewery

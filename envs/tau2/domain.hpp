#pragma once
/// The port between one domain of tau2-bench (telecom, retail, airline) and the
/// code that all share: tasks, graders, turn-taking, the benchmark. A `domain`
/// is loaded once, immutable and shared. A `domain_state` is the mutable state
/// of one rollout.

#include "envs/tau2/data/task.hpp"
#include "envs/tau2/functions.hpp"
#include "envs/tau2/orchestrator.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace brewery::tau2 {

class domain_state {
public:
  virtual ~domain_state() = default;

  /// A snapshot. Records are shared until one side writes.
  [[nodiscard]] virtual std::unique_ptr<domain_state> clone() const = 0;

  /// Calls a tool of the kit of `side`, "assistant" or "user", like the
  /// reference's toolkit, without sync. A failure has the exception's text;
  /// earlier changes remain.
  virtual result<tool_value> use_tool(std::string_view side,
                                      std::string_view name,
                                      const json& arguments) = 0;

  /// Runs a function that only task files may name: set-up or assertion.
  virtual result<tool_value> run_function(const function_call& call) = 0;

  /// Carries facts between the two sides; does nothing if there is only one.
  virtual result<void> sync() { return {}; }

  /// The reference's state hashes. The user's is empty without a user database.
  [[nodiscard]] virtual std::string agent_hash() const = 0;
  [[nodiscard]] virtual std::string user_hash() const = 0;

  /// Whether both hashes are equal; fast for shared records. `other` must be of
  /// the same domain.
  [[nodiscard]] virtual bool same(const domain_state& other) const = 0;
};

class domain {
public:
  virtual ~domain() = default;

  /// "telecom", "retail", "airline".
  [[nodiscard]] virtual std::string_view name() const = 0;

  /// Tools of "assistant" or "user", in a fixed order.
  [[nodiscard]] virtual const std::vector<tool_spec>&
  tools(std::string_view side) const = 0;

  /// The names that the domain's tasks may use.
  [[nodiscard]] virtual task_vocabulary vocabulary() const = 0;

  /// The state before a task's initialisation.
  [[nodiscard]] virtual std::unique_ptr<domain_state> initial() const = 0;
};

/// A tool of one side by name; null if it has none of that name.
const tool_spec* find_tool(const domain& of, std::string_view side,
                           std::string_view name);

/// One call without sync, like the reference's make_tool_call. In solo mode the
/// agent's calls reach the user's kit by name, and the user may not call.
result<tool_value> make_tool_call(const domain& of, domain_state& state,
                                  play_mode mode, std::string_view requestor,
                                  std::string_view name, const json& arguments);

/// Runs the task's initialisation functions, each followed by sync. Error
/// ec::environment naming the task and where it stopped.
result<void> initialise(domain_state& state, const task& item);

} // namespace brewery::tau2

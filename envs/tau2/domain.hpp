#pragma once
/// The port between one domain of tau2-bench (telecom, retail, airline) and
/// everything that is the same for all: tasks, graders, turn-taking, the
/// benchmark. A `domain` is loaded once, immutable and shared; a `domain_state`
/// is what one rollout may change.

#include "envs/tau2/functions.hpp"
#include "envs/tau2/orchestrator.hpp"
#include "envs/tau2/task.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace brewery::tau2 {

class domain_state {
public:
  virtual ~domain_state() = default;

  /// A snapshot; records are shared until one side writes.
  [[nodiscard]] virtual std::unique_ptr<domain_state> clone() const = 0;

  /// A tool of the kit of `side`, "assistant" or "user", as the reference's
  /// toolkit runs it, without sync. A failure is the exception's text; what was
  /// changed before it stays.
  virtual result<tool_value> use_tool(std::string_view side,
                                      std::string_view name,
                                      const json& arguments) = 0;

  /// A function that only task files may name: set-up or assertion.
  virtual result<tool_value> run_function(const function_call& call) = 0;

  /// Carries facts between the two sides; nothing where there is one.
  virtual result<void> sync() { return {}; }

  /// The reference's state hashes; the user's is empty where there is no user
  /// database.
  [[nodiscard]] virtual std::string agent_hash() const = 0;
  [[nodiscard]] virtual std::string user_hash() const = 0;

  /// Equal in both hashes; cheaper where records are shared. `other` is of the
  /// same domain.
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

  /// What the domain's tasks may name.
  [[nodiscard]] virtual task_vocabulary vocabulary() const = 0;

  /// The state before a task's initialisation.
  [[nodiscard]] virtual std::unique_ptr<domain_state> initial() const = 0;
};

/// A tool of one side by name; null when it has none of that name.
const tool_spec* find_tool(const domain& of, std::string_view side,
                           std::string_view name);

/// One call without sync, as the reference's make_tool_call. In solo mode the
/// agent's calls reach the user's kit by name, and the user may not call.
result<tool_value> make_tool_call(const domain& of, domain_state& state,
                                  play_mode mode, std::string_view requestor,
                                  std::string_view name, const json& arguments);

/// Runs the task's initialisation functions, each followed by sync. Error
/// ec::environment naming the task and where it stopped.
result<void> initialise(domain_state& state, const task& item);

} // namespace brewery::tau2

#pragma once
/// The tasks of a tau2-bench domain and their splits, as in their files.
/// Independent of the domain: `task_vocabulary` checks function names.

#include "envs/environment.hpp"
#include "envs/tau2/data/text_file.hpp"
#include "envs/tau2/orchestrator.hpp"

#include <functional>
#include <optional>

namespace brewery::tau2 {

/// A function of one side of the environment.
struct function_call {
  std::string env_type; ///< "assistant" or "user"
  std::string name;
  json arguments = json::object();
};

struct env_assertion {
  function_call call;
  bool expected = true;
};

/// One call of the reference trajectory.
struct gold_action {
  std::string requestor = "assistant";
  std::string name;
  json arguments = json::object();
  std::optional<std::vector<std::string>> compare_args;
};

enum class reward_part : std::uint8_t {
  database,
  env_assertion,
  nl_assertion,
  action,
  communicate,
};

/// The name in task files: "DB", ...
std::string_view to_string(reward_part part);

struct task_criteria {
  std::optional<std::vector<gold_action>> actions;
  std::optional<std::vector<env_assertion>> env_assertions;
  std::vector<std::string> communicate_info;
  std::vector<std::string> nl_assertions;
  std::vector<reward_part> reward_basis{reward_part::database,
                                        reward_part::communicate};

  [[nodiscard]] bool counts(reward_part part) const;
};

struct task {
  task_id id;
  std::optional<std::string> ticket;
  std::string scenario; ///< for the simulated user, as one text
  std::string subject;  ///< the part of it about its subject
  /// Tools of the user's kit that this user has; empty: all.
  std::optional<std::vector<std::string>> user_tools;
  std::vector<function_call> initialization;
  bool has_initialization_data = false; ///< not supported: see play_problem
  bool has_message_history = false;     ///< not supported: see play_problem
  std::optional<task_criteria> criteria;

  /// Whether a statement about the conversation counts for the reward.
  [[nodiscard]] bool needs_judge() const;
};

struct task_set {
  std::vector<task> tasks;
  /// Indices into `tasks`, in file order.
  std::map<std::string, std::vector<std::size_t>> splits;
};

/// Checks names in a domain's tasks. Each returns "" or the problem.
struct task_vocabulary {
  std::function<std::string(const function_call&)> set_up;
  std::function<std::string(const function_call&)> assertion;
  std::function<std::string(const gold_action&)> tool;
};

/// Reads tasks.json (a list, or an object with `tasks`) and split_tasks.json.
/// Errors name file, line or task id, and field: malformed JSON, missing or
/// wrong fields, unknown functions, duplicate ids, splits with unknown ids.
result<task_set> parse_tasks(const text_file& tasks, const text_file& splits,
                             const task_vocabulary& vocabulary);

/// Why a rollout of the task is impossible in this mode (no ticket, a judge in
/// the reward in solo mode, an unsupported initial state); empty if it is
/// possible.
std::string play_problem(const task& item, play_mode mode);

/// Names a check in reports, stable across runs:
/// "assert_service_status(expected_status=\"connected\")".
std::string call_text(std::string_view name, const json& arguments);

} // namespace brewery::tau2

#pragma once
/// The other participants of a rollout: a simulated user, a statement judge and
/// a grader. Interfaces only: roles implement the first two, a benchmark or the
/// way to another worker (run/setup/worker_benchmarks.cpp) the grader, and
/// environments call them.
/// Made for one rollout and used on its thread.

#include "base/result.hpp"
#include "messages/grade_msgs.hpp"

#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <vector>

namespace brewery {

struct tool_spec;

/// A requested call. `id` only links it to its answer.
struct tool_call {
  std::string id;
  std::string name;
  nlohmann::ordered_json arguments = nlohmann::ordered_json::object();
};

struct tool_result {
  std::string content;
  bool failed = false;
};

/// One move in a conversation: words, calls, or both.
struct turn {
  std::string text;
  std::vector<tool_call> calls;
};

/// What a simulated user knows before the first word.
struct user_briefing {
  std::string guidelines; ///< the benchmark's guidelines for users
  std::string scenario;   ///< who they are and what they want
  /// The user's own tools; may be null.
  const std::vector<tool_spec>* tools = nullptr;
};

/// What a simulated user has seen and done, in order.
struct user_event {
  enum class kind : std::uint8_t {
    heard,    ///< `text` holds the agent's words
    said,     ///< `move` holds the user's words or calls
    answered, ///< `text` holds the answer to the call `id`
  } what = kind::heard;
  std::string text;
  turn move;
  std::string id;
  bool failed = false;
};

class user_player {
public:
  virtual ~user_player() = default;

  /// The user's next turn. An error ends the rollout without a score, because
  /// the user failed, not the agent.
  virtual result<turn> answer(const user_briefing& briefing,
                              const std::vector<user_event>& seen) = 0;
};

class statement_judge {
public:
  virtual ~statement_judge() = default;

  /// For each statement, whether it is true of the conversation; in the order
  /// of the statements.
  virtual result<std::vector<bool>>
  holds(const std::vector<std::string>& statements,
        const std::vector<trajectory_step>& events) = 0;
};

/// Grades answers against goldens, which the process that runs the rollout may
/// lack.
class answer_grader {
public:
  virtual ~answer_grader() = default;

  /// Error ec::environment: no grade is possible; the rollout has no score.
  virtual result<grade_report>
  grade(const task_id& task, const std::vector<answer_file>& answers) const = 0;
};

/// Members are null if nobody has the part. A benchmark that needs it refuses
/// to make the task.
struct participants {
  std::shared_ptr<user_player> user;
  std::shared_ptr<statement_judge> judge;
  /// Takes precedence over the benchmark's own grader.
  std::shared_ptr<const answer_grader> grader{};
};

} // namespace brewery

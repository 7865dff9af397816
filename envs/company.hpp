#pragma once
/// Who else takes part in a task: a simulated user to talk to, a judge of
/// statements. Interfaces only; roles implement them, environments of
/// benchmarks that need them call them. Made for one rollout, used on its
/// thread.

#include "base/result.hpp"
#include "messages/grade_msgs.hpp"

#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <vector>

namespace brewery {

struct tool_spec;

/// A call as it is asked for; `id` only links it to its answer.
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

/// What a simulated user is told before the first word.
struct user_briefing {
  std::string guidelines; ///< how to play a user, of the benchmark
  std::string scenario;   ///< who they are and what they want
  const std::vector<tool_spec>* tools = nullptr; ///< their own; may be null
};

/// What a simulated user has seen, in order.
struct user_event {
  enum class kind : std::uint8_t {
    heard,    ///< `text` is what the agent said
    said,     ///< `move` is what the user did: words or calls
    answered, ///< `text` is the answer to the call `id`
  } what = kind::heard;
  std::string text;
  turn move;
  std::string id;
  bool failed = false;
};

class user_player {
public:
  virtual ~user_player() = default;

  /// The user's next move. An error ends the rollout without a score: whoever
  /// plays the user failed, not the agent.
  virtual result<turn> answer(const user_briefing& briefing,
                              const std::vector<user_event>& seen) = 0;
};

class statement_judge {
public:
  virtual ~statement_judge() = default;

  /// Whether each statement holds of what was said and done, one verdict for
  /// each, in their order.
  virtual result<std::vector<bool>>
  holds(const std::vector<std::string>& statements,
        const std::vector<trajectory_step>& events) = 0;
};

/// Compares answers with solutions that who plays may not have.
class answer_grader {
public:
  virtual ~answer_grader() = default;

  /// ec::environment: it cannot be told; the rollout has no score.
  virtual result<grade_report>
  grade(const task_id& task, const std::vector<answer_file>& answers) const = 0;
};

/// Null where nobody plays the part; a benchmark that needs it refuses to make
/// the task.
struct company {
  std::shared_ptr<user_player> user;
  std::shared_ptr<statement_judge> judge;
  /// Before the benchmark's own.
  std::shared_ptr<const answer_grader> grader{};
};

} // namespace brewery

#pragma once
/// One rollout's telecom environment. Owned by one rollout on one thread; all
/// its state is its own, records it has not changed are shared with the
/// benchmark's base state.

#include "envs/tau2/grading.hpp"
#include "envs/tau2/telecom_state.hpp"

namespace brewery::tau2 {

/// Who plays: in solo mode the agent holds both tool kits and there is no user.
enum class play_mode : std::uint8_t { solo, with_user };

/// One call without sync, as the reference's make_tool_call: a failure is the
/// exception's text.
result<tool_value> make_tool_call(telecom_state& state, play_mode mode,
                                  std::string_view requestor,
                                  std::string_view name, const json& arguments);

/// Runs the task's initialisation functions, each followed by sync.
result<void> initialise(telecom_state& state, const task& item);

/// What the environment grader finds.
struct environment_grade {
  bool db_match = true;
  std::vector<bool> assertions; ///< met, in the task's order
};

/// Compares the end state with the gold state: the task's actions from
/// `initial`, without sync and ignoring failures, as the reference builds it.
bool matches_gold(const telecom_state& initial, const telecom_state& predicted,
                  const task_criteria& criteria);

/// Runs the task's assertions in order on a copy of the end state, each
/// followed by sync. An assertion that fails to run is not met.
std::vector<bool> check_assertions(telecom_state predicted,
                                   const task_criteria& criteria);

/// DB and ENV_ASSERTION together.
environment_grade grade_environment(const telecom_state& initial,
                                    const telecom_state& predicted,
                                    const task_criteria& criteria);

class telecom_environment final : public environment {
public:
  /// `initial` is the state after initialisation; `item` outlives this object
  /// through `keep_alive`.
  telecom_environment(telecom_state initial, const task& item, play_mode mode,
                      std::shared_ptr<const void> keep_alive);

  const std::vector<tool_spec>& tools() const override;
  tool_result call(std::string_view name, const json& arguments) override;
  result<grade_report> grade() override;

  /// A call by "assistant" or "user"; always recorded for the ACTION grader.
  tool_result call_as(std::string_view requestor, std::string_view name,
                      const json& arguments);

  /// A message of the assistant, for the COMMUNICATE grader.
  void say(std::string text) { messages_.push_back(std::move(text)); }

  [[nodiscard]] const telecom_state& state() const { return state_; }
  [[nodiscard]] const std::vector<recorded_call>& calls() const {
    return calls_;
  }

private:
  telecom_state initial_, state_;
  const task* task_;
  play_mode mode_;
  std::vector<recorded_call> calls_;
  std::vector<std::string> messages_;
  std::shared_ptr<const void> keep_alive_;
};

} // namespace brewery::tau2

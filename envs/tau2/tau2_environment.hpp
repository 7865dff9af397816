#pragma once
/// The environment of one rollout in any domain: the state, the record of words
/// and calls, and the turn-taking. Owned by one rollout on one thread. Its
/// state is its own; unchanged records are shared with the benchmark.
///
/// With single calls (`call`) there is no turn-taking: limits do not apply, and
/// the attempt ends with the last call, which only solo mode grades. In turns
/// (`take_turn`), the orchestrator decides the end; an attempt that has not
/// ended properly when it is graded gets reward 0.

#include "envs/tau2/orchestrator.hpp"
#include "envs/tau2/tau2_grading.hpp"

#include <optional>

namespace brewery::tau2 {

/// The parts of an environment. The references are valid as long as `owner`.
struct tau2_parts {
  std::shared_ptr<const void> owner;
  const domain& of;
  const task& item;
  std::shared_ptr<const domain_state> initial; ///< after initialisation
  talk_rules rules;
  const std::vector<tool_spec>& agent_tools;
  const std::vector<tool_spec>& user_tools;
  const std::string& briefing;
  const std::string& guidelines; ///< for the simulated user
  participants with;
};

class tau2_environment final : public environment {
public:
  explicit tau2_environment(tau2_parts parts);

  const std::vector<tool_spec>& tools() const override {
    return parts_.agent_tools;
  }
  tool_result call(std::string_view name, const json& arguments) override;
  std::optional<tool_result> probe(std::string_view name,
                                   const json& arguments) override;
  std::string briefing() const override { return parts_.briefing; }
  result<std::string> opening() override;
  result<turn_outcome> take_turn(const turn& move) override;
  result<grade_report> grade() override;
  std::uint32_t checkpoints_met() const override;

  /// A call by "assistant" or "user", outside of a turn.
  tool_result call_as(std::string_view requestor, std::string_view name,
                      const json& arguments);

  [[nodiscard]] const domain_state& state() const { return *state_; }
  [[nodiscard]] const attempt_record& record() const { return record_; }
  [[nodiscard]] const orchestrator& talk() const { return talk_; }

private:
  /// Whether the attempt has ended so that its final state counts.
  [[nodiscard]] bool counts() const;
  [[nodiscard]] std::chrono::milliseconds elapsed() const;
  /// Records words as an event and for the graders.
  void note_words(std::string_view requestor, const std::string& text);
  result<std::vector<tool_result>> run_calls(std::string_view requestor,
                                             const std::vector<tool_call>&);
  /// Lets the user speak and call until the agent is next or the conversation
  /// is over. Returns the user's last words.
  result<std::string> hear_user();
  void user_heard(const std::string& text);
  result<void> play_turn(const turn& move, turn_outcome& out);

  tau2_parts parts_;
  std::unique_ptr<domain_state> state_;
  attempt_record record_;
  std::size_t handed_out_ = 0; ///< events returned in earlier turns
  orchestrator talk_;
  bool opened_ = false; ///< the attempt is made in turns
  std::string first_words_;
  std::optional<error> broken_; ///< if set, no turn and no grade any more
  std::chrono::steady_clock::time_point began_;
  user_briefing user_told_;
  std::vector<user_event> user_seen_;
};

} // namespace brewery::tau2

#pragma once
/// Turn-taking between agent, user and environment, and the end of a
/// conversation, as in the reference. Pure: messages are facts, time is a
/// number. The owner (tau2_environment) carries messages and runs tools.
///
/// Every hop is a step: a message of the agent, a message of the user, or
/// running all calls of one message. Limits are checked after each step unless
/// the environment is next; they override a stop at the same step. What opens a
/// conversation (the greeting; in solo mode, the agent's first message) is no
/// step.

#include "base/result.hpp"
#include "envs/participants.hpp"

#include <chrono>
#include <cstdint>
#include <string_view>

namespace brewery::tau2 {

/// In solo mode the agent has both tool kits and there is no user.
enum class play_mode : std::uint8_t { solo, with_user };

enum class ending : std::uint8_t {
  unfinished, ///< the agent gave up without words (our addition)
  user_stop,
  agent_stop,
  max_steps,
  timeout,
  too_many_errors,
  agent_error, ///< the agent broke the protocol
  user_error,  ///< the user broke the protocol
};

/// The reference's name: "user_stop", ...
std::string_view to_string(ending why);

/// Only these endings are graded; all others have reward 0.
bool properly_ended(ending why);

struct talk_rules {
  play_mode mode = play_mode::solo;
  std::uint32_t max_steps = 100; ///< 1 or more
  std::uint32_t max_errors = 10; ///< failed calls of both sides together
  /// If set, a message with words and calls ends the conversation. Otherwise
  /// its calls run and its words are dropped.
  bool enforce_protocol = false;
  std::chrono::milliseconds timeout{0}; ///< of the conversation; 0: none
};

/// The agent's first words, which are fixed.
inline constexpr std::string_view greeting = "Hi! How can I help you today?";

/// The tool that ends a solo attempt, and the stop message that it stands for.
inline constexpr std::string_view done_tool = "done";
inline constexpr std::string_view stop_token = "###STOP###";

/// Whether a user's words end the conversation: the user gives up, is
/// transferred, or has nothing more in the scenario.
bool stops_user(std::string_view text);

/// White space does not count as text.
bool has_text(const turn& message);

class orchestrator {
public:
  enum class party : std::uint8_t { agent, user, world };

  explicit orchestrator(const talk_rules& rules);

  /// The next party: to speak, or, for the world, to run the last message's
  /// calls.
  [[nodiscard]] party next() const { return next_; }
  [[nodiscard]] bool over() const { return over_; }
  [[nodiscard]] ending why() const { return why_; }
  [[nodiscard]] std::uint32_t steps() const { return steps_; }
  [[nodiscard]] std::uint32_t errors() const { return errors_; }

  /// Takes `message` from the next party, agent or user. Returns it as it
  /// counts: in solo mode, a call of `done` becomes the stop token and other
  /// calls are dropped. An empty message is an error, not an ending with a
  /// score.
  result<turn> speak(turn message, std::chrono::milliseconds elapsed);

  /// Reports that the last message's calls were run and `failed` of them
  /// failed.
  void ran(std::uint32_t failed, std::chrono::milliseconds elapsed);

private:
  void end(ending why);
  void judge_agent(turn& message);
  void judge_user(const turn& message);
  void check_limits(std::chrono::milliseconds elapsed);

  talk_rules rules_;
  party next_;
  party caller_ = party::agent; ///< the party whose calls are run
  bool opened_;
  bool over_ = false;
  ending why_ = ending::unfinished;
  std::uint32_t steps_ = 0, errors_ = 0;
};

} // namespace brewery::tau2

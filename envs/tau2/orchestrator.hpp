#pragma once
/// Whose turn it is between agent, user and environment, and when a
/// conversation ends, as the reference decides it. Pure: messages go in as
/// facts, time as a number; whoever owns it carries the messages and runs the
/// tools (tau2_environment).
///
/// Every hop is a step: a message of the agent, a message of the user, the
/// execution of all calls of one message. Limits are looked at after each step
/// unless the environment is next, and they override a stop on the same step.
/// What opens a conversation (the greeting; alone, the agent's first message)
/// is no step.

#include "base/result.hpp"
#include "envs/company.hpp"

#include <chrono>
#include <cstdint>
#include <string_view>

namespace brewery::tau2 {

/// Who plays: in solo mode the agent holds both tool kits and there is no user.
enum class play_mode : std::uint8_t { solo, with_user };

enum class ending : std::uint8_t {
  unfinished, ///< the agent gave up without a word (ours)
  user_stop,
  agent_stop,
  max_steps,
  timeout,
  too_many_errors,
  agent_error, ///< the agent broke the protocol
  user_error,  ///< the user did
};

/// The reference's name: "user_stop", ...
std::string_view to_string(ending why);

/// Only these are graded; any other end is a reward of 0.
bool properly_ended(ending why);

struct talk_rules {
  play_mode mode = play_mode::solo;
  std::uint32_t max_steps = 100; ///< 1 or more
  std::uint32_t max_errors = 10; ///< failed calls of both sides together
  /// A message with words and calls ends the conversation; else its calls run
  /// and its words reach nobody.
  bool enforce_protocol = false;
  std::chrono::milliseconds timeout{0}; ///< of the whole; 0: none
};

/// First words of the agent's side, said for it.
inline constexpr std::string_view greeting = "Hi! How can I help you today?";

/// The tool with which a lone agent ends its attempt, and what the message
/// that calls it is taken for.
inline constexpr std::string_view done_tool = "done";
inline constexpr std::string_view stop_token = "###STOP###";

/// Whether words of a user end the conversation: they give up, are handed
/// over, or their script has nothing more.
bool stops_user(std::string_view text);

/// White space is no text.
bool has_text(const turn& message);

class orchestrator {
public:
  enum class party : std::uint8_t { agent, user, world };

  explicit orchestrator(const talk_rules& rules);

  /// Who is next: to speak, or, for the world, to run the last message's calls.
  [[nodiscard]] party next() const { return next_; }
  [[nodiscard]] bool over() const { return over_; }
  [[nodiscard]] ending why() const { return why_; }
  [[nodiscard]] std::uint32_t steps() const { return steps_; }
  [[nodiscard]] std::uint32_t errors() const { return errors_; }

  /// The agent or the user, whoever is next, says `message`. Returns it as it
  /// counts: a lone agent's call of `done` becomes the stop token, its other
  /// calls are dropped. An empty message is an error, and no end with a score.
  result<turn> speak(turn message, std::chrono::milliseconds elapsed);

  /// The calls of the last message were run; `failed` of them failed.
  void ran(std::uint32_t failed, std::chrono::milliseconds elapsed);

private:
  void end(ending why);
  void judge_agent(turn& message);
  void judge_user(const turn& message);
  void check_limits(std::chrono::milliseconds elapsed);

  talk_rules rules_;
  party next_;
  party caller_ = party::agent; ///< whose calls the world runs
  bool opened_;
  bool over_ = false;
  ending why_ = ending::unfinished;
  std::uint32_t steps_ = 0, errors_ = 0;
};

} // namespace brewery::tau2

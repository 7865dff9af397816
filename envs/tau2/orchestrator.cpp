#include "envs/tau2/orchestrator.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>

namespace brewery::tau2 {

namespace {

constexpr std::array ending_names{"unfinished",  "user_stop", "agent_stop",
                                  "max_steps",   "timeout",   "too_many_errors",
                                  "agent_error", "user_error"};

constexpr std::array<std::string_view, 3> user_stop_tokens{
    stop_token, "###TRANSFER###", "###OUT-OF-SCOPE###"};

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

} // namespace

std::string_view to_string(ending why) {
  return ending_names[static_cast<std::size_t>(why)];
}

bool properly_ended(ending why) {
  return why == ending::user_stop || why == ending::agent_stop;
}

bool stops_user(std::string_view text) {
  return std::any_of(user_stop_tokens.begin(), user_stop_tokens.end(),
                     [&](std::string_view token) { return has(text, token); });
}

bool has_text(const turn& message) {
  return !trim(message.text).empty();
}

orchestrator::orchestrator(const talk_rules& rules)
    : rules_(rules),
      next_(rules.mode == play_mode::solo ? party::agent : party::user),
      opened_(rules.mode == play_mode::with_user) {}

void orchestrator::end(ending why) {
  over_ = true;
  why_ = why;
}

void orchestrator::judge_agent(turn& message) {
  next_ = message.calls.empty() ? party::user : party::world;
  // The agent's words never end it.
  if (rules_.mode == play_mode::with_user) return;
  const bool done =
      std::any_of(message.calls.begin(), message.calls.end(),
                  [](const tool_call& call) { return call.name == done_tool; });
  if (done || has(message.text, stop_token)) {
    if (done) message.text = stop_token;
    message.calls.clear();
    next_ = party::user;
    end(ending::agent_stop);
  } else if (message.calls.empty()) {
    end(ending::agent_error); // in solo mode there is no one to talk to
  }
}

void orchestrator::judge_user(const turn& message) {
  next_ = message.calls.empty() ? party::agent : party::world;
  if (message.calls.empty() && stops_user(message.text)) end(ending::user_stop);
}

result<turn> orchestrator::speak(turn message,
                                 std::chrono::milliseconds elapsed) {
  BREWERY_ASSERT(!over_ && next_ != party::world);
  const bool agent = next_ == party::agent;
  if (!has_text(message) && message.calls.empty())
    return error{ec::environment,
                 agent ? "the agent sent an empty message: neither words nor "
                         "a call"
                       : "the simulated user sent an empty message: neither "
                         "words nor a call"};
  caller_ = next_;
  if (agent)
    judge_agent(message);
  else
    judge_user(message);
  if (rules_.enforce_protocol && has_text(message) && !message.calls.empty())
    end(agent ? ending::agent_error : ending::user_error);
  if (!opened_) {
    opened_ = true;
    return message;
  }
  ++steps_;
  check_limits(elapsed);
  return message;
}

void orchestrator::ran(std::uint32_t failed,
                       std::chrono::milliseconds elapsed) {
  BREWERY_ASSERT(!over_ && next_ == party::world);
  errors_ += failed;
  next_ = caller_;
  ++steps_;
  check_limits(elapsed);
}

void orchestrator::check_limits(std::chrono::milliseconds elapsed) {
  if (next_ == party::world) return;
  if (steps_ >= rules_.max_steps) end(ending::max_steps);
  if (errors_ >= rules_.max_errors) end(ending::too_many_errors);
  if (rules_.timeout.count() > 0 && !over_ && elapsed >= rules_.timeout)
    end(ending::timeout);
}

} // namespace brewery::tau2

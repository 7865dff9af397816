#pragma once
/// The agent's actions: OSWorld's spaces `pyautogui` (code) and `computer_13`
/// (thirteen kinds of mouse and keyboard actions), each with WAIT, DONE and
/// FAIL. Both become Python code that runs in the guest. Pure.

#include "envs/environment.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace brewery::osworld {

enum class action_space : std::uint8_t { pyautogui, computer_13 };

enum class action_kind : std::uint8_t { code, wait, done, fail };

struct desktop_action {
  action_kind kind = action_kind::code;
  std::string code; ///< for `code`; without the imports
};

// The tools' names.
inline constexpr std::string_view pyautogui_tool = "pyautogui";
inline constexpr std::string_view computer_13_tool = "computer_13";
inline constexpr std::string_view wait_tool = "wait";
inline constexpr std::string_view done_tool = "done";
inline constexpr std::string_view fail_tool = "fail";

/// Longer code is no sensible action.
inline constexpr std::size_t action_bytes_most = 65'536;

const std::vector<tool_spec>& action_tools(action_space space);

/// Error ec::invalid_argument: words for the agent.
result<desktop_action> action_of(action_space space, std::string_view tool,
                                 const json& arguments);

/// The code of a computer_13 action, without moving at random: the official
/// client draws the pace of MOVE_TO.
result<desktop_action> computer_13_action(const json& arguments);

/// PyAutoGUI types '>' for '<' (OSWorld's issue 257): replaces press('<') and
/// the '<' of a text that is typed by the shifted comma.
std::string with_typed_less_than(const std::string& code);

/// With the official client's imports before it.
std::string runnable_code(const std::string& code);

/// Whether PyAutoGUI knows the key, in any case.
bool is_keyboard_key(std::string_view name);

} // namespace brewery::osworld

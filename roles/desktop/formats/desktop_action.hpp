#pragma once
/// What an agent does on a desktop in one step: Python for pyautogui, or one of
/// the three words of OSWorld's action spaces (arXiv:2404.07972, section 2.3).
/// A value.

#include "envs/participants.hpp"

#include <string>

namespace brewery::desktop {

struct action {
  enum class kind : std::uint8_t { code, wait, done, fail } what = kind::code;
  std::string code{}; ///< Python; empty but for `code`
  bool operator==(const action&) const = default;
};

inline action code(std::string text) {
  return {action::kind::code, std::move(text)};
}

/// The call of the environment's tool that does it.
tool_call to_call(const action& wanted);

/// "WAIT", "DONE" or "FAIL" as an action; kind `code` for anything else.
action special_or_code(std::string text);

} // namespace brewery::desktop

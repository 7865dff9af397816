#include "roles/desktop/formats/desktop_action.hpp"

namespace brewery::desktop {

tool_call to_call(const action& wanted) {
  tool_call out;
  switch (wanted.what) {
  case action::kind::code:
    out.name = "pyautogui";
    out.arguments["code"] = wanted.code;
    break;
  case action::kind::wait:
    out.name = "wait";
    break;
  case action::kind::done:
    out.name = "done";
    break;
  case action::kind::fail:
    out.name = "fail";
    break;
  }
  return out;
}

action special_or_code(std::string text) {
  if (text == "WAIT") return {action::kind::wait};
  if (text == "DONE") return {action::kind::done};
  if (text == "FAIL") return {action::kind::fail};
  return code(std::move(text));
}

} // namespace brewery::desktop

#include "envs/osworld/actions/action.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <optional>

namespace brewery::osworld {

namespace {

std::vector<tool_spec> with_endings(tool_spec acting) {
  std::vector<tool_spec> out;
  out.push_back(std::move(acting));
  out.push_back({"assistant",
                 std::string{wait_tool},
                 tool_kind::generic,
                 "Wait a moment and look again.",
                 {}});
  out.push_back({"assistant",
                 std::string{done_tool},
                 tool_kind::finish,
                 "Say that the task is done. It is graded then.",
                 {}});
  out.push_back({"assistant",
                 std::string{fail_tool},
                 tool_kind::finish,
                 "Say that the task cannot be done. Only a task that is "
                 "infeasible is solved so.",
                 {}});
  return out;
}

tool_parameter optional_parameter(std::string name, std::string type,
                                  std::string what) {
  return {std::move(name), std::move(type), std::move(what), {}, false};
}

std::vector<tool_spec> code_tools() {
  return with_endings(
      {"assistant",
       std::string{pyautogui_tool},
       tool_kind::write,
       "Run Python code with pyautogui on the desktop, e.g. "
       "pyautogui.click(100, 200). pyautogui and time are imported. It does "
       "not return what it prints.",
       {{"code", "string", "The code to run.", {}, true}}});
}

std::vector<tool_spec> action_13_tools() {
  return with_endings(
      {"assistant",
       std::string{computer_13_tool},
       tool_kind::write,
       "Act on the desktop with the mouse or the keyboard.",
       {{"action_type",
         "string",
         "The kind of action.",
         {"MOVE_TO", "CLICK", "MOUSE_DOWN", "MOUSE_UP", "RIGHT_CLICK",
          "DOUBLE_CLICK", "DRAG_TO", "SCROLL", "TYPING", "PRESS", "KEY_DOWN",
          "KEY_UP", "HOTKEY"},
         true},
        optional_parameter("x", "number", "Pixels from the left."),
        optional_parameter("y", "number", "Pixels from the top."),
        {"button",
         "string",
         "The mouse button; default: left.",
         {"left", "right", "middle"},
         false},
        {"num_clicks", "integer", "For CLICK.", {}, false},
        optional_parameter("dx", "integer", "For SCROLL: to the right."),
        optional_parameter("dy", "integer", "For SCROLL: up."),
        optional_parameter("text", "string", "For TYPING."),
        optional_parameter("key", "string",
                           "For PRESS, KEY_DOWN and KEY_UP: a key's name of "
                           "PyAutoGUI."),
        {"keys", "array", "For HOTKEY: names of keys.", {}, false, "string"}}});
}

result<desktop_action> code_action(const json& arguments) {
  const auto code =
      arguments.is_object() ? arguments.find("code") : arguments.end();
  if (code == arguments.end() || !code->is_string())
    return error{ec::invalid_argument,
                 "The tool pyautogui needs \"code\", a string."};
  const auto& text = code->get_ref<const std::string&>();
  if (text.size() > action_bytes_most)
    return error{ec::invalid_argument,
                 fmt::format("Not run: the code is longer than {} bytes.",
                             action_bytes_most)};
  if (trim(text).empty())
    return error{ec::invalid_argument, "Not run: the code is empty."};
  return desktop_action{action_kind::code, with_typed_less_than(text)};
}

constexpr std::string_view less_than_keys = R"(pyautogui.hotkey("shift", ","))";

bool is_escaped_less_than(std::string_view text, std::size_t at) {
  return lower(text.substr(at, 6)) == "\\u003c"
         || lower(text.substr(at, 4)) == "\\x3c";
}

/// The text of a literal in parts, split at each '<'. Other escapes stay.
std::vector<std::string> split_at_less_than(std::string_view text) {
  std::vector<std::string> parts(1);
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '<' || is_escaped_less_than(text, at)) {
      at += text[at] == '<' ? 1 : lower(text.substr(at + 1, 1)) == "u" ? 6 : 4;
      parts.emplace_back();
      continue;
    }
    const std::size_t size = text[at] == '\\' && at + 1 < text.size() ? 2 : 1;
    parts.back() += text.substr(at, size);
    at += size;
  }
  return parts;
}

std::string typed_parts(std::string_view call, char quote,
                        const std::vector<std::string>& parts) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out.emplace_back(less_than_keys);
    if (!parts[i].empty())
      out.push_back(fmt::format("{}({}{}{})", call, quote, parts[i], quote));
  }
  return join(out, "; ");
}

/// If a call CALL("...") with one literal begins at `at`: its end, and the
/// literal.
struct literal_call {
  std::size_t end = 0;
  char quote = '"';
  std::string_view text;
};
std::optional<literal_call>
literal_call_at(std::string_view code, std::size_t at, std::string_view call) {
  if (code.substr(at, call.size()) != call) return {};
  const auto open = at + call.size();
  if (code.size() < open + 2 || code[open] != '(') return {};
  const char quote = code[open + 1];
  if (quote != '"' && quote != '\'') return {};
  for (auto i = open + 2; i + 1 < code.size() && code[i] != '\n'; ++i)
    if (code[i] == quote && code[i + 1] == ')')
      return literal_call{i + 2, quote, code.substr(open + 2, i - open - 2)};
  return {};
}

} // namespace

const std::vector<tool_spec>& action_tools(action_space space) {
  static const auto code = code_tools();
  static const auto thirteen = action_13_tools();
  return space == action_space::pyautogui ? code : thirteen;
}

result<desktop_action> action_of(action_space space, std::string_view tool,
                                 const json& arguments) {
  if (tool == wait_tool) return desktop_action{action_kind::wait, ""};
  if (tool == done_tool) return desktop_action{action_kind::done, ""};
  if (tool == fail_tool) return desktop_action{action_kind::fail, ""};
  const bool code = space == action_space::pyautogui;
  const auto acting = code ? pyautogui_tool : computer_13_tool;
  if (tool != acting)
    return error{ec::invalid_argument,
                 fmt::format("There is no tool {}; there are {}, wait, done "
                             "and fail.",
                             tool, acting)};
  return code ? code_action(arguments) : computer_13_action(arguments);
}

std::string with_typed_less_than(const std::string& code) {
  if (code.find('<') == std::string::npos
      && lower(code).find("3c") == std::string::npos)
    return code;
  std::string out;
  for (std::size_t at = 0; at < code.size();) {
    const auto press = literal_call_at(code, at, "pyautogui.press");
    if (press
        && split_at_less_than(press->text)
               == std::vector<std::string>{"", ""}) {
      out += less_than_keys;
      at = press->end;
      continue;
    }
    const std::string_view calls[] = {"pyautogui.typewrite", "pyautogui.write"};
    std::optional<literal_call> typed;
    std::string_view name;
    for (const auto call : calls)
      if (!typed && (typed = literal_call_at(code, at, call))) name = call;
    const auto parts =
        typed ? split_at_less_than(typed->text) : std::vector<std::string>{};
    if (parts.size() > 1) {
      out += typed_parts(name, typed->quote, parts);
      at = typed->end;
      continue;
    }
    out += code[at++];
  }
  return out;
}

std::string runnable_code(const std::string& code) {
  // A line of its own: the code may begin with a statement that cannot follow
  // a semicolon.
  return "import pyautogui; import time; pyautogui.FAILSAFE = False\n"
         + std::string{code.substr(code.find_first_not_of(" \t\r\n"))};
}

} // namespace brewery::osworld

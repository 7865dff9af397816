#include "base/text.hpp"
#include "envs/osworld/actions/action.hpp"
#include "envs/tau2/python_rules/python_text.hpp"

#include <fmt/format.h>

#include <set>

namespace brewery::osworld {

namespace {

/// Beyond one character: pyautogui.KEYBOARD_KEYS.
const std::set<std::string, std::less<>>& long_keys() {
  static const std::set<std::string, std::less<>> keys = [] {
    std::set<std::string, std::less<>> out;
    constexpr std::string_view names =
        "accept add alt altleft altright apps backspace browserback "
        "browserfavorites browserforward browserhome browserrefresh "
        "browsersearch browserstop capslock clear convert ctrl ctrlleft "
        "ctrlright decimal del delete divide down end enter esc escape execute "
        "final fn hanguel hangul hanja help home insert junja kana kanji "
        "launchapp1 launchapp2 launchmail launchmediaselect left modechange "
        "multiply nexttrack nonconvert numlock pagedown pageup pause pgdn pgup "
        "playpause prevtrack print printscreen prntscrn prtsc prtscr return "
        "right scrolllock select separator shift shiftleft shiftright sleep "
        "space stop subtract tab up volumedown volumemute volumeup win winleft "
        "winright yen command option optionleft optionright";
    for (const auto name : split(names, ' '))
      out.emplace(name);
    for (int i = 1; i <= 24; ++i)
      out.insert(fmt::format("f{}", i));
    for (int i = 0; i <= 9; ++i)
      out.insert(fmt::format("num{}", i));
    return out;
  }();
  return keys;
}

error bad(const std::string& what) {
  return {ec::invalid_argument, "Not run: " + what};
}

/// The parameters of one action; every reader returns "" and remembers the
/// first problem.
class action_parameters {
public:
  explicit action_parameters(const json& from) : from_(from) {}

  bool has(const char* name) const {
    const auto found = from_.find(name);
    return found != from_.end() && !found->is_null();
  }

  std::string number(const char* name) {
    if (!has(name) || !from_[name].is_number())
      return fail(fmt::format("{} must be a number", name));
    return from_[name].dump();
  }

  std::string key(const json& value) {
    if (!value.is_string()
        || !is_keyboard_key(value.get_ref<const std::string&>()))
      return fail(fmt::format(
          "PyAutoGUI has no key {}",
          value.dump(-1, ' ', true, json::error_handler_t::replace)));
    return tau2::py_quote(value.get<std::string>());
  }

  std::string key_of(const char* name) {
    return has(name) ? key(from_[name])
                     : fail(fmt::format("{} is missing", name));
  }

  std::string button() {
    if (!has("button")) return "";
    const auto& value = from_["button"];
    if (value == "left" || value == "right" || value == "middle")
      return fmt::format("button='{}'", value.get<std::string>());
    return fail("button must be left, right or middle");
  }

  /// "x=1, y=2", or "" if neither is given.
  std::string place(bool required) {
    if (!required && !has("x") && !has("y")) return "";
    const auto x = number("x");
    return fmt::format("x={}, y={}", x, number("y"));
  }

  std::string fail(std::string what) {
    if (problem_.empty()) problem_ = std::move(what);
    return "";
  }

  result<desktop_action> code(std::string text) {
    if (!problem_.empty()) return bad(problem_ + ".");
    return desktop_action{action_kind::code, std::move(text)};
  }

private:
  const json& from_;
  std::string problem_;
};

std::string listed(std::vector<std::string> arguments) {
  std::erase(arguments, "");
  return join(arguments, ", ");
}

std::string mouse_code(action_parameters& in, const std::string& type) {
  if (type == "MOVE_TO")
    return fmt::format("pyautogui.moveTo({}, duration=0.5)", in.place(true));
  if (type == "CLICK") {
    const auto button = in.button();
    const auto clicks =
        in.has("num_clicks") ? "clicks=" + in.number("num_clicks") : "";
    return fmt::format("pyautogui.click({})",
                       listed({in.place(false), clicks, button}));
  }
  if (type == "MOUSE_DOWN")
    return fmt::format("pyautogui.mouseDown({})", in.button());
  if (type == "MOUSE_UP")
    return fmt::format("pyautogui.mouseUp({})", in.button());
  if (type == "RIGHT_CLICK")
    return fmt::format("pyautogui.rightClick({})", in.place(false));
  if (type == "DOUBLE_CLICK")
    return fmt::format("pyautogui.doubleClick({})", in.place(false));
  if (type == "DRAG_TO")
    return fmt::format("pyautogui.dragTo({}, duration=1.0, button='left', "
                       "mouseDownUp=True)",
                       in.place(true));
  if (type != "SCROLL") return "";
  if (!in.has("dx") && !in.has("dy")) return in.fail("SCROLL needs dx or dy");
  std::vector<std::string> out;
  if (in.has("dx"))
    out.push_back(fmt::format("pyautogui.hscroll({})", in.number("dx")));
  if (in.has("dy"))
    out.push_back(fmt::format("pyautogui.vscroll({})", in.number("dy")));
  return join(out, "; ");
}

std::string keyboard_code(action_parameters& in, const json& given,
                          const std::string& type) {
  if (type == "TYPING") {
    if (!in.has("text") || !given["text"].is_string())
      return in.fail("TYPING needs text");
    return fmt::format("pyautogui.typewrite({})",
                       tau2::py_quote(given["text"].get<std::string>()));
  }
  if (type == "PRESS")
    return fmt::format("pyautogui.press({})", in.key_of("key"));
  if (type == "KEY_DOWN")
    return fmt::format("pyautogui.keyDown({})", in.key_of("key"));
  if (type == "KEY_UP")
    return fmt::format("pyautogui.keyUp({})", in.key_of("key"));
  if (type != "HOTKEY") return "";
  if (!in.has("keys") || !given["keys"].is_array() || given["keys"].empty())
    return in.fail("HOTKEY needs keys, a list");
  std::vector<std::string> keys;
  for (const auto& key : given["keys"])
    keys.push_back(in.key(key));
  return fmt::format("pyautogui.hotkey({})", join(keys, ", "));
}

} // namespace

bool is_keyboard_key(std::string_view name) {
  if (name.size() == 1)
    return name[0] == '\t' || name[0] == '\n' || name[0] == '\r'
           || (name[0] >= ' ' && name[0] <= '~');
  return long_keys().contains(lower(name));
}

result<desktop_action> computer_13_action(const json& arguments) {
  if (!arguments.is_object() || !arguments.contains("action_type")
      || !arguments["action_type"].is_string())
    return bad("the tool computer_13 needs \"action_type\", a string.");
  const auto type = arguments["action_type"].get<std::string>();
  if (type == "WAIT") return desktop_action{action_kind::wait, ""};
  if (type == "DONE") return desktop_action{action_kind::done, ""};
  if (type == "FAIL") return desktop_action{action_kind::fail, ""};
  // The official format may nest the parameters.
  const auto nested = arguments.find("parameters");
  const auto& given =
      nested != arguments.end() && nested->is_object() ? *nested : arguments;
  action_parameters in{given};
  auto code = mouse_code(in, type);
  if (code.empty()) code = keyboard_code(in, given, type);
  auto out = in.code(code);
  if (out && code.empty())
    return bad("there is no action_type " + shell_word(type) + ".");
  if (out) out->code = with_typed_less_than(out->code);
  return out;
}

} // namespace brewery::osworld

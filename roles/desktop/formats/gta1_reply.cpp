#include "roles/desktop/formats/gta1_reply.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "llm/format/json_schema.hpp"
#include "roles/desktop/formats/numbers_in_text.hpp"
#include "roles/desktop/formats/pyautogui_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace brewery::desktop {

namespace {

constexpr std::string_view code_fence = "```";
constexpr std::string_view receiver = "agent.";
constexpr std::uint32_t most_clicks = 3;
constexpr std::int64_t most_wheel_clicks = 100;
constexpr double most_seconds = 10;

/// The places and names of the descriptions that a method takes.
struct method {
  std::string_view name;
  std::vector<const char*> places; ///< names of its first arguments
  bool places_needed = true;
};

const std::vector<method>& methods() {
  static const std::vector<method> all{
      {"click", {"instruction"}},
      {"type", {"element_description"}, false},
      {"scroll", {"instruction"}},
      {"drag_and_drop", {"starting_description", "ending_description"}},
      {"hotkey", {}},
      {"hold_and_press", {}},
      {"open", {}},
      {"switch_applications", {}},
      {"wait", {}},
      {"done", {}},
      {"fail", {}}};
  return all;
}

std::string method_of(const python_call& call) {
  return call.name.substr(receiver.size());
}

std::string text_or(const json* value, const char* otherwise = "") {
  return value != nullptr && value->is_string() ? value->get<std::string>()
                                                : std::string{otherwise};
}

std::int64_t whole_or(const json* value, std::int64_t otherwise,
                      std::int64_t most) {
  if (value == nullptr || !value->is_number()) return otherwise;
  const auto got = value->get<double>();
  return static_cast<std::int64_t>(
      std::clamp(got, -static_cast<double>(most), static_cast<double>(most)));
}

bool true_value(const json* value) {
  return value != nullptr && value->is_boolean() && value->get<bool>();
}

std::vector<std::string> key_list(const json* value) {
  std::vector<std::string> out;
  if (value == nullptr) return out;
  if (value->is_string()) out.push_back(key_name(value->get<std::string>()));
  if (value->is_array())
    for (const auto& item : *value)
      if (item.is_string()) out.push_back(key_name(item.get<std::string>()));
  return out;
}

mouse_button button_of(const std::string& name) {
  if (name == "right") return mouse_button::right;
  return name == "middle" ? mouse_button::middle : mouse_button::left;
}

/// The last fence's content; the last line with a call if there is no fence.
std::string_view code_in(std::string_view reply) {
  const auto close = reply.rfind(code_fence);
  if (close != reply.npos && close > 0) {
    const auto open = reply.rfind(code_fence, close - 1);
    if (open != reply.npos) {
      auto body = reply.substr(open + code_fence.size(),
                               close - open - code_fence.size());
      if (const auto at = body.find(receiver); at != body.npos)
        return trim(body.substr(at));
    }
  }
  const auto at = reply.rfind(receiver);
  return at == reply.npos ? std::string_view{} : trim(reply.substr(at));
}

/// The words below a heading that has `word`, to the next heading or fence.
std::string section_in(std::string_view reply, std::string_view word) {
  std::string out;
  bool inside = false;
  for (const auto line : split(reply, '\n')) {
    const auto text = trim(line);
    if (text.starts_with(code_fence)) break;
    const bool heading = text.starts_with('(') || text.starts_with('#')
                         || text.starts_with("**");
    if (heading && inside) break;
    if (heading && text.find(word) != text.npos)
      inside = true;
    else if (inside && !text.empty())
      out += std::string{text} + "\n";
  }
  return std::string{trim(out)};
}

error bad_call(const python_call& call, std::string_view why) {
  return {ec::malformed, fmt::format("{}(): {}", call.name, why)};
}

action typed(const gta1_plan& plan, const std::vector<point>& at) {
  const auto& call = plan.call;
  std::string out;
  if (!at.empty()) out += click_code(at.front()) + "\n";
  if (true_value(call.find(2, "overwrite")))
    out +=
        hotkey_code({"ctrl", "a"}) + "\n" + hotkey_code({"backspace"}) + "\n";
  out += type_code(text_or(call.find(1, "text")));
  if (true_value(call.find(3, "enter"))) out += "\n" + hotkey_code({"enter"});
  return code(std::move(out));
}

action held_and_pressed(const python_call& call) {
  std::string down, press, up;
  for (const auto& key : key_list(call.find(0, "hold_keys"))) {
    down += fmt::format("pyautogui.keyDown({})\n", python_string(key));
    up.insert(0, fmt::format("\npyautogui.keyUp({})", python_string(key)));
  }
  for (const auto& key : key_list(call.find(1, "press_keys")))
    press += (press.empty() ? "" : "\n") + hotkey_code({key});
  return code(down + press + up);
}

/// By the window's name, which wmctrl finds on every window manager.
action switched(const python_call& call) {
  return code(
      fmt::format("import subprocess\nsubprocess.run(['wmctrl', '-a', {}])",
                  python_string(text_or(call.find(0, "app_code")))));
}

action opened(const python_call& call) {
  return code(
      fmt::format("import subprocess\nsubprocess.Popen([{}], "
                  "start_new_session=True)",
                  python_string(text_or(call.find(0, "app_or_filename")))));
}

action waited(const python_call& call) {
  const auto* given = call.find(0, "time");
  const double seconds =
      given != nullptr && given->is_number()
          ? std::clamp(given->get<double>(), 0.0, most_seconds)
          : 1.0;
  return code(fmt::format("time.sleep({})", seconds));
}

} // namespace

result<gta1_plan> read_gta1_plan(std::string_view reply) {
  const auto text = code_in(reply);
  if (text.empty())
    return error{ec::malformed, "it has no action: expected one line of Python "
                                "that calls a method of `agent`, between ``` "
                                "fences"};
  std::size_t used = 0;
  auto call = read_python_call(text, used);
  if (!call)
    return error{ec::malformed,
                 fmt::format("the action \"{}\" cannot be read: {}",
                             excerpt(single_line(text), 80),
                             call.error().message)};
  gta1_plan out{section_in(reply, "bservation"),
                section_in(reply, "hought"),
                *std::move(call),
                std::string{trim(text.substr(0, used))},
                {}};
  const auto name = method_of(out.call);
  const auto known = std::ranges::find_if(
      methods(), [&](const auto& item) { return item.name == name; });
  if (known == methods().end())
    return bad_call(out.call, "there is no such action");
  for (std::size_t i = 0; i < known->places.size(); ++i) {
    auto where = text_or(out.call.find(i, known->places[i]));
    if (trim(where).empty() && known->places_needed)
      return bad_call(out.call, fmt::format("needs {}, a description of what "
                                            "to act on",
                                            known->places[i]));
    if (!trim(where).empty()) out.places.push_back(std::move(where));
  }
  if (name == "hotkey" && key_list(out.call.find(0, "keys")).empty())
    return bad_call(out.call, "needs keys, a list of their names");
  if (name == "hold_and_press"
      && key_list(out.call.find(1, "press_keys")).empty())
    return bad_call(out.call, "needs hold_keys and press_keys, two lists");
  if ((name == "open" || name == "switch_applications")
      && text_or(
             out.call.find(0, name == "open" ? "app_or_filename" : "app_code"))
             .empty())
    return bad_call(out.call, "needs a name");
  return out;
}

action gta1_action(const gta1_plan& plan, const std::vector<point>& at) {
  BREWERY_ASSERT(at.size() == plan.places.size());
  const auto& call = plan.call;
  const auto name = method_of(call);
  if (name == "click") {
    const auto times = whole_or(call.find(1, "num_clicks"), 1, most_clicks);
    return code(click_code(
        at[0], static_cast<std::uint32_t>(std::max<std::int64_t>(1, times)),
        button_of(text_or(call.find(2, "button_type"))),
        key_list(call.find(3, "hold_keys"))));
  }
  if (name == "type") return typed(plan, at);
  if (name == "scroll")
    return code(scroll_code(
        at[0], whole_or(call.find(1, "clicks"), 1, most_wheel_clicks),
        true_value(call.find(2, "shift"))));
  if (name == "drag_and_drop")
    return code(drag_code(at[0], at[1], key_list(call.find(2, "hold_keys"))));
  if (name == "hotkey")
    return code(hotkey_code(key_list(call.find(0, "keys"))));
  if (name == "hold_and_press") return held_and_pressed(call);
  if (name == "open") return opened(call);
  if (name == "switch_applications") return switched(call);
  if (name == "wait") return waited(call);
  return {name == "done" ? action::kind::done : action::kind::fail};
}

result<std::size_t> read_gta1_choice(std::string_view reply,
                                     std::size_t plans) {
  static const auto schema = [] {
    auto made = json_schema::parse(
        R"({"type":"object","properties":{"index":{"type":"integer"}},)"
        R"("required":["index"]})");
    BREWERY_ASSERT(made);
    return *std::move(made);
  }();
  const auto text = extract_json(reply, schema);
  if (!text) return text.error();
  const auto index = json::parse(*text, nullptr, false)["index"];
  if (!index.is_number_integer() || index.get<std::int64_t>() < 0
      || static_cast<std::uint64_t>(index.get<std::int64_t>()) >= plans)
    return error{ec::malformed, fmt::format("\"index\" is {}, expected 0 to {}",
                                            index.dump(), plans - 1)};
  return index.get<std::size_t>();
}

result<point> read_gta1_point(std::string_view reply, grid from, grid screen) {
  const auto open = reply.find('(');
  const auto numbers =
      numbers_in(reply.substr(open == reply.npos ? 0 : open), 2);
  if (numbers.size() < 2)
    return error{ec::malformed, "expected a point, (x,y)"};
  return on_screen({numbers[0], numbers[1]}, from, screen);
}

} // namespace brewery::desktop

#include "roles/desktop/formats/uitars_reply.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "roles/desktop/formats/numbers_in_text.hpp"
#include "roles/desktop/formats/pyautogui_code.hpp"
#include "roles/desktop/formats/python_call.hpp"

#include <fmt/format.h>

#include <optional>

namespace brewery::desktop {

namespace {

constexpr std::string_view action_mark = "Action:";
constexpr std::string_view thought_mark = "Thought:";
constexpr std::int64_t wheel_clicks = 5; ///< of one scroll action
constexpr std::size_t most_actions = 16;

error unreadable(const python_call& call, std::string_view why) {
  return {ec::malformed, fmt::format("the action {}: {}", call.name, why)};
}

/// The text of an argument under any of its names, or at its place.
std::optional<std::string> text_of(const python_call& call, std::size_t place,
                                   std::initializer_list<const char*> names) {
  for (const auto* name : names)
    if (const auto it = call.named.find(name);
        it != call.named.end() && it->is_string())
      return it->get<std::string>();
  if (place < call.arguments.size() && call.arguments[place].is_string())
    return call.arguments[place].get<std::string>();
  return std::nullopt;
}

/// "ctrl c", "ctrl+c"; a '+' that stands alone is a key.
std::vector<std::string> keys_in(std::string_view text) {
  std::vector<std::string> out;
  for (const auto word : split(text, ' ')) {
    if (word == "+") out.emplace_back("+");
    if (word == "+") continue;
    for (const auto key : split(word, '+'))
      if (!trim(key).empty()) out.push_back(key_name(key));
  }
  return out;
}

class uitars_reader {
public:
  uitars_reader(grid from, grid screen) : from_(from), screen_(screen) {}

  result<action> read(const python_call& call) const {
    const auto& name = call.name;
    if (name == "wait") return action{action::kind::wait};
    if (name == "finished") return action{action::kind::done};
    if (name == "error_env") return action{action::kind::fail};
    if (name == "call_user") return action{action::kind::wait};
    if (name == "type") return typed(call);
    if (name == "hotkey" || name == "press") return hotkey(call);
    if (name == "scroll") return scrolled(call);
    if (name == "drag" || name == "select") return dragged(call);
    const auto at = box(call, 0, {"start_box", "start_point", "point"});
    if (!at && name != "click" && !is_mouse(name))
      return unreadable(call, "is not known");
    if (!at) return unreadable(call, "needs start_box='(x,y)'");
    if (name == "click" || name == "left_single") return code(click_code(*at));
    if (name == "left_double") return code(click_code(*at, 2));
    if (name == "right_single")
      return code(click_code(*at, 1, mouse_button::right));
    if (name == "hover") return code(move_code(*at));
    return unreadable(call, "is not known");
  }

private:
  static bool is_mouse(std::string_view name) {
    return name == "left_single" || name == "left_double"
           || name == "right_single" || name == "hover";
  }

  std::optional<point> box(const python_call& call, std::size_t place,
                           std::initializer_list<const char*> names) const {
    const auto text = text_of(call, place, names);
    if (!text) return std::nullopt;
    const auto numbers = numbers_in(*text);
    if (numbers.size() != 2 && numbers.size() != 4) return std::nullopt;
    const point middle = numbers.size() == 2
                             ? point{numbers[0], numbers[1]}
                             : point{(numbers[0] + numbers[2]) / 2,
                                     (numbers[1] + numbers[3]) / 2};
    return on_screen(middle, from_, screen_);
  }

  static result<action> typed(const python_call& call) {
    const auto text = text_of(call, 0, {"content"});
    if (!text) return unreadable(call, "needs content='...'");
    return code(type_code(*text));
  }

  static result<action> hotkey(const python_call& call) {
    const auto text = text_of(call, 0, {"key", "hotkey"});
    const auto keys = text ? keys_in(*text) : std::vector<std::string>{};
    if (keys.empty()) return unreadable(call, "needs key='ctrl c'");
    return code(hotkey_code(keys));
  }

  result<action> scrolled(const python_call& call) const {
    const auto where = box(call, 0, {"start_box", "start_point", "point"});
    const point at =
        where ? *where : point{screen_.width_px / 2.0, screen_.height_px / 2.0};
    const auto way = text_of(call, 1, {"direction"}).value_or("");
    const bool across = way == "left" || way == "right";
    if (!across && way != "up" && way != "down")
      return unreadable(call,
                        "needs direction='up', 'down', 'left' or 'right'");
    const bool positive = way == "up" || way == "left";
    return code(
        scroll_code(at, positive ? wheel_clicks : -wheel_clicks, across));
  }

  result<action> dragged(const python_call& call) const {
    const auto begin = box(call, 0, {"start_box", "start_point"});
    const auto end = box(call, 1, {"end_box", "end_point"});
    if (!begin || !end)
      return unreadable(call, "needs start_box='(x,y)' and end_box='(x,y)'");
    return code(drag_code(*begin, *end));
  }

  grid from_, screen_;
};

/// The words before the first action, without their mark.
std::string thought_in(std::string_view before) {
  if (const auto at = before.find(thought_mark); at != before.npos)
    before.remove_prefix(at + thought_mark.size());
  return std::string{trim(before)};
}

} // namespace

result<uitars_reply> read_uitars_reply(std::string_view reply, grid from,
                                       grid screen) {
  const auto at = reply.find(action_mark);
  if (at == reply.npos || trim(reply.substr(at + action_mark.size())).empty())
    return error{ec::malformed, "it has no action: expected a line that begins "
                                "with 'Action:', and an action"};
  uitars_reply out;
  out.thought = thought_in(reply.substr(0, at));
  auto rest = trim(reply.substr(at + action_mark.size()));
  while (!rest.empty()) {
    std::size_t used = 0;
    const auto call = read_python_call(rest, used, {.loose_quotes = true});
    if (!call)
      return error{ec::malformed,
                   fmt::format("the action \"{}\" cannot be read: {}",
                               excerpt(single_line(rest), 80),
                               call.error().message)};
    auto made = uitars_reader{from, screen}.read(*call);
    if (!made) return made.error();
    out.calls_user = out.calls_user || call->name == "call_user";
    out.actions.push_back(*std::move(made));
    rest = trim(rest.substr(used));
    // What follows as words is no action: models comment on what they did.
    if (out.actions.size() == most_actions || rest.find('(') == rest.npos)
      break;
    if (rest.starts_with(action_mark))
      rest = trim(rest.substr(action_mark.size()));
  }
  return out;
}

} // namespace brewery::desktop

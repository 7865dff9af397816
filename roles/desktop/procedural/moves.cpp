#include "roles/desktop/procedural/moves.hpp"

#include "base/text.hpp"
#include "roles/desktop/formats/pyautogui_code.hpp"
#include "roles/desktop/procedural/shell_commands.hpp"

namespace brewery::desktop {

namespace {

/// An element is named by a task that has at least this share of its words.
constexpr double named_share = 1.0;

const call_argument* only_argument(const call_text& move) {
  return move.arguments.size() == 1 ? &move.arguments.front() : nullptr;
}

std::string text_in(const call_argument& argument, const task_terms& task) {
  if (!argument.placeholder.empty()) return filled(task, argument.placeholder);
  return argument.value.is_string() ? argument.value.get<std::string>()
                                    : std::string{};
}

/// "push-button OK" -> its role and its name.
std::pair<std::string, std::string> parts_of_label(const std::string& label) {
  const auto space = label.find(' ');
  if (space == label.npos) return {label, {}};
  return {label.substr(0, space), label.substr(space + 1)};
}

} // namespace

call_text press_move(const std::string& label) {
  return {"press", {{"element", {}, label}}};
}

call_text type_move(const std::string& text) {
  return {"type", {{"text", {}, text}}};
}

call_text key_move(const std::string& keys) {
  return {"key", {{"keys", {}, keys}}};
}

call_text end_move(bool done) {
  return {done ? "done" : "fail", {}};
}

namespace {

/// Each text of the task in a command as its placeholder.
call_text generalised_command(call_text move, const task_terms& task) {
  for (auto& argument : move.arguments) {
    if (argument.name == "words" || !argument.value.is_string()) continue;
    auto place = placeholder_of(task, argument.value.get<std::string>());
    if (!place.empty()) argument = {argument.name, std::move(place), {}};
  }
  return move;
}

} // namespace

call_text generalised(const call_text& move, const task_terms& task) {
  if (move.tool == command_tool) return generalised_command(move, task);
  const auto* argument = only_argument(move);
  if (argument == nullptr || !argument->value.is_string()) return move;
  const auto text = argument->value.get<std::string>();
  if (move.tool == "type")
    if (auto place = placeholder_of(task, text); !place.empty())
      return {"type", {{"text", std::move(place), {}}}};
  if (move.tool == "press" && argument->name == "element") {
    auto [tag, name] = parts_of_label(text);
    if (likeness_to(task, name).share >= named_share)
      return {"press", {{"named", std::move(tag), {}}}};
  }
  return move;
}

const screen_element* element_for(const call_text& press,
                                  const screen_view& view,
                                  const task_terms& task) {
  const auto* argument = only_argument(press);
  if (argument == nullptr) return nullptr;
  const screen_element* best = nullptr;
  double best_score = 0;
  for (const auto& item : view.elements) {
    if (argument->name == "element" && argument->value == item.label)
      return &item;
    if (argument->name != "named" || argument->placeholder != item.tag)
      continue;
    const auto score = likeness_to(task, item.name).score;
    if (score <= best_score) continue;
    best = &item;
    best_score = score;
  }
  return best;
}

std::optional<step_of_move> step_for(const call_text& move,
                                     const screen_view& view,
                                     const task_terms& task) {
  if (move.tool == "done") return step_of_move{{action::kind::done}};
  if (move.tool == "fail") return step_of_move{{action::kind::fail}};
  if (move.tool == "press") {
    const auto* item = element_for(move, view, task);
    if (item == nullptr) return std::nullopt;
    if (item->opener)
      return step_of_move{code(click_code(*item->opener)), true};
    return step_of_move{code(click_code(item->middle))};
  }
  if (move.tool == command_tool) {
    const auto line = command_line(move, task);
    if (line.empty()) return std::nullopt;
    return step_of_move{code(type_code(line + "\n"))};
  }
  const auto* argument = only_argument(move);
  if (argument == nullptr) return std::nullopt;
  const auto text = text_in(*argument, task);
  if (text.empty()) return std::nullopt;
  if (move.tool == "type") return step_of_move{code(type_code(text))};
  if (move.tool != "key") return std::nullopt;
  std::vector<std::string> keys;
  for (const auto key : split(text, '+'))
    keys.push_back(key_name(key));
  return step_of_move{code(hotkey_code(keys))};
}

} // namespace brewery::desktop

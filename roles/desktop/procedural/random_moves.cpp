#include "roles/desktop/procedural/random_moves.hpp"

#include "roles/desktop/procedural/moves.hpp"
#include "roles/desktop/procedural/shell_commands.hpp"

#include <algorithm>
#include <array>

namespace brewery::desktop {

namespace {

// Probabilities of an attempt without a rule.
constexpr double gives_up_first = 0.1;
constexpr double stops_after_match = 0.35; ///< something like the task was done
constexpr double stops_after_command = 0.6;
constexpr double runs_a_command = 0.9; ///< in a terminal
constexpr double types_when_it_can = 0.6;
constexpr double confirms_what_it_typed = 0.6;
constexpr double presses_a_key = 0.1;
constexpr double presses_its_key = 0.5; ///< after a match: "save" in the task
constexpr double goes_by_likeness = 0.8;

/// What keys do on every desktop.
constexpr std::array<const char*, 3> usual_keys{"enter", "esc", "ctrl+s"};

} // namespace

bool in_terminal(const screen_view& view) {
  return std::ranges::any_of(view.elements, [](const auto& item) {
    return item.tag == "terminal" && item.focused;
  });
}

std::optional<call_text> random_moves::next(const screen_view& view) {
  const double luck = draw_.uniform();
  const bool first = !begun_;
  begun_ = true;
  if (first && luck < gives_up_first) return end_move(false);
  if (matched_ && luck < stops_after_match) return std::nullopt;
  if (commanded_ && luck < stops_after_command) return std::nullopt;
  auto move = drawn(view);
  if (move) tried_.insert(to_text(*move));
  return move;
}

call_text random_moves::usual_key() {
  return key_move(usual_keys.at(draw_.below(usual_keys.size())));
}

std::optional<call_text> random_moves::drawn(const screen_view& view) {
  matched_ = commanded_ = false;
  if (view.application.empty()) return key_move(terminal_keys);
  if (in_terminal(view) && draw_.uniform() < runs_a_command)
    if (auto move = random_command(task_, draw_)) {
      commanded_ = true;
      return move;
    }
  if (typed_ && draw_.uniform() < confirms_what_it_typed) {
    typed_ = false;
    matched_ = true;
    return key_move("enter");
  }
  if (auto typed = text_to_type(view);
      typed && draw_.uniform() < types_when_it_can) {
    typed_ = true;
    in_text_field_ = false;
    return typed;
  }
  if (changed_ && draw_.uniform() < presses_its_key)
    if (const auto key = key_of_task()) {
      changed_ = false;
      matched_ = true;
      return key_move(*key);
    }
  if (draw_.uniform() < presses_a_key) return usual_key();
  const auto* item = element_to_press(view);
  if (item == nullptr) return usual_key();
  matched_ = likeness_to(task_, item->name).share > 0;
  changed_ |= matched_;
  in_text_field_ = item->text_field;
  return press_move(item->label);
}

/// A text of the task, where something takes what is typed.
std::optional<call_text> random_moves::text_to_type(const screen_view& view) {
  const bool takes_text =
      in_text_field_
      || std::ranges::any_of(view.elements, [](const auto& item) {
           return item.text_field && item.focused;
         });
  std::vector<std::string> left;
  for (const auto& text : task_.texts)
    if (!tried_.contains(to_text(type_move(text)))) left.push_back(text);
  if (!takes_text || left.empty()) return std::nullopt;
  return type_move(left[draw_.below(left.size())]);
}

/// What a word of the task is done with.
std::optional<std::string> random_moves::key_of_task() const {
  for (const auto& word : task_.words)
    if (const auto key = usual_key_for(word); !key.empty())
      return std::string{key};
  return std::nullopt;
}

/// Mostly one that is most like the task, of those that were not tried.
const screen_element* random_moves::element_to_press(const screen_view& view) {
  std::vector<const screen_element*> all, best;
  double likeness = 0;
  for (const auto& item : view.elements) {
    if (tried_.contains(to_text(press_move(item.label)))) continue;
    all.push_back(&item);
    const auto here = likeness_to(task_, item.name).score;
    if (here > likeness) best.clear();
    if (here >= likeness && here > 0) best.push_back(&item);
    likeness = std::max(likeness, here);
  }
  const auto& from =
      !best.empty() && draw_.uniform() < goes_by_likeness ? best : all;
  return from.empty() ? nullptr : from[draw_.below(from.size())];
}

} // namespace brewery::desktop

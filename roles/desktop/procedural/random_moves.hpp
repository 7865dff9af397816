#pragma once
/// What the agent without a language model tries where no rule holds: moves
/// that are drawn at random, mostly on what is most like the task. One for each
/// attempt. Pure: the same screens and draws make the same moves.

#include "base/rng.hpp"
#include "roles/desktop/procedural/screen_elements.hpp"
#include "roles/desktop/procedural/task_terms.hpp"
#include "roles/procedural/call_text.hpp"

#include <optional>
#include <set>
#include <string>

namespace brewery::desktop {

/// Opens a terminal on the usual desktops; all that can be pressed on an empty
/// screen.
inline constexpr const char* terminal_keys = "ctrl+alt+t";

/// Whether a terminal takes what is typed.
bool in_terminal(const screen_view& view);

class random_moves {
public:
  random_moves(const task_terms& task, rng draw) : task_(task), draw_(draw) {}

  /// Empty: the attempt should end. `fail()`: it should be given up.
  std::optional<call_text> next(const screen_view& view);

private:
  std::optional<call_text> drawn(const screen_view& view);
  std::optional<call_text> text_to_type(const screen_view& view);
  std::optional<std::string> key_of_task() const;
  call_text usual_key();
  const screen_element* element_to_press(const screen_view& view);

  const task_terms& task_;
  rng draw_;
  std::set<std::string> tried_;
  bool begun_ = false;
  bool matched_ = false;       ///< the last move had to do with the task
  bool changed_ = false;       ///< a press had, and no key of the task followed
  bool in_text_field_ = false; ///< the last press was on one
  bool typed_ = false;         ///< and this was not confirmed yet
  bool commanded_ = false;     ///< the last move was a command
};

} // namespace brewery::desktop

#pragma once
/// The moves of the agent without a language model, in the words of documents:
///   `press(element="push-button OK")`, `press(named=<check-menu-item>)`,
///   `type(text=<text 1>)`, `key(keys="ctrl+s")`, `done()`, `fail()`, and the
///   commands of shell_commands.hpp
/// `named` is the element with this role that the task names. Agent and
/// reflector share them. Pure.

#include "roles/desktop/formats/desktop_action.hpp"
#include "roles/desktop/procedural/screen_elements.hpp"
#include "roles/desktop/procedural/task_terms.hpp"
#include "roles/procedural/call_text.hpp"

#include <optional>

namespace brewery::desktop {

call_text press_move(const std::string& label);
call_text type_move(const std::string& text);
call_text key_move(const std::string& keys);
call_text end_move(bool done);

/// With placeholders for what the task itself says, so that the move can be
/// made in other tasks. Of an element: only if the task has all words of its
/// name.
call_text generalised(const call_text& move, const task_terms& task);

/// The element that a press is about: with this label, or the one whose name
/// is most like the task among those with this role. Null: it is not there.
const screen_element* element_for(const call_text& press,
                                  const screen_view& view,
                                  const task_terms& task);

/// The step that makes the move, or that opens the menu before it.
struct step_of_move {
  action code;
  bool opens = false; ///< only a menu; the move is still to be made
};

/// Empty: the move cannot be made on this screen.
std::optional<step_of_move> step_for(const call_text& move,
                                     const screen_view& view,
                                     const task_terms& task);

} // namespace brewery::desktop

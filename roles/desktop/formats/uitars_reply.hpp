#pragma once
/// Reads a reply of UI-TARS 1.5 (arXiv:2501.12326; its ui_tars.action_parser):
///
///   Thought: why, in words
///   Action: click(start_box='(421,333)')
///
/// Boxes are "(x,y)" or "(x1,y1,x2,y2)", between box or point tags or not, in
/// pixels of the smart_resize grid. Several actions are apart by an empty line.
/// Pure.

#include "base/result.hpp"
#include "roles/desktop/formats/desktop_action.hpp"
#include "roles/desktop/formats/smart_resize.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace brewery::desktop {

struct uitars_reply {
  std::string thought; ///< may be empty
  std::vector<action> actions;
  /// The model calls for a person. There is none; the reference waits.
  bool calls_user = false;
};

/// Error ec::malformed: no action, one that is not known, or one without what
/// it needs; the message names it.
result<uitars_reply> read_uitars_reply(std::string_view reply, grid from,
                                       grid screen);

} // namespace brewery::desktop

#pragma once
/// Reads the replies of GTA1's three calls (arXiv:2507.05791): a planner whose
/// plan ends with one line of Python that calls a method of `agent`, a judge
/// that answers with the index of the best plan as JSON, and a grounding model
/// that answers with a point. Pure.

#include "base/result.hpp"
#include "roles/desktop/formats/desktop_action.hpp"
#include "roles/desktop/formats/python_call.hpp"
#include "roles/desktop/formats/smart_resize.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace brewery::desktop {

struct gta1_plan {
  std::string observation; ///< what the planner sees; may be empty
  std::string thought;     ///< may be empty
  python_call call;
  std::string line; ///< the call as it was written
  /// What has to be found on the screen, in words, in the order in which
  /// `gta1_action` wants the points.
  std::vector<std::string> places;
};

/// Error ec::malformed: no code, no call of a method that is known, or one
/// without what it needs; the message names it.
result<gta1_plan> read_gta1_plan(std::string_view reply);

/// The plan's action, with the points on the screen of its places.
action gta1_action(const gta1_plan& plan, const std::vector<point>& at);

/// {"explaining": ..., "index": n}. Error ec::malformed: not this, or n is not
/// below `plans`.
result<std::size_t> read_gta1_choice(std::string_view reply, std::size_t plans);

/// "(x,y)" in pixels of `from`. Error ec::malformed: two numbers are expected.
result<point> read_gta1_point(std::string_view reply, grid from, grid screen);

} // namespace brewery::desktop

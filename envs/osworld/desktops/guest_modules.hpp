#pragma once
/// What runs inside a local desktop, and what starts it: Python modules that
/// are embedded and written out. cmake/embed_text.cmake generates the
/// definitions.

#include "base/embedded_text.hpp"

#include <string>
#include <vector>

namespace brewery::osworld {

/// Outside: desktop_launch, desktop_home, official_grade.
const std::vector<embedded_text>& launch_modules();

/// Inside, on sys.path of the in-guest server and of agents' code.
const std::vector<embedded_text>& guest_modules();

/// Hash of all of them: part of what a rollout on a local desktop depends on.
std::string guest_modules_hash();

/// The program that grades by official evaluators, for `python -c`.
std::string official_grade_script();

} // namespace brewery::osworld

#pragma once
/// Getters that ask applications of the desktop: the browser's address,
/// history and extensions, the media player's state, the desktop's shortcuts.

#include "envs/osworld/grading/getters.hpp"

namespace brewery::osworld {

bool is_application_getter(std::string_view type);
/// Errors as get_value.
result<graded_value> get_application_value(const json& config,
                                           guest_client& guest);

} // namespace brewery::osworld

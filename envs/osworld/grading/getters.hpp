#pragma once
/// Getters: what the guest, the files of the task or its rules hold, for the
/// metrics. The names and meanings are those of OSWorld's
/// desktop_env/evaluators/getters. They only read.

#include "envs/osworld/grading/graded_value.hpp"
#include "envs/osworld/guest/guest_client.hpp"
#include "envs/osworld/setup/file_cache.hpp"

#include <map>
#include <string_view>

namespace brewery::osworld {

/// Where a grade looks.
struct grading_scene {
  guest_client& guest;
  const file_cache& files;
  /// Output that setup steps saved, by name.
  const std::map<std::string, std::string>& saved;
};

/// Error ec::environment: the desktop or a download broke, and there is no
/// grade. Error ec::malformed: where the official getter raises an exception.
result<graded_value> get_value(const json& config, const grading_scene& scene);

/// A value that is a file in the guest, or of the browser's settings there.
bool is_browser_getter(std::string_view type);
result<graded_value> get_browser_value(std::string_view type,
                                       guest_client& guest);
/// A file of the browser's profile; null if there is none.
result<std::optional<std::string>> profile_file(guest_client& guest,
                                                const std::string& name);

} // namespace brewery::osworld

#include "envs/osworld/tasks/refusal.hpp"

#include "envs/osworld/grading/native_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace brewery::osworld {

namespace {

constexpr std::array setup_step_types{
    std::string_view{"download"},
    std::string_view{"launch"},
    std::string_view{"open"},
    std::string_view{"execute"},
    std::string_view{"command"},
    std::string_view{"activate_window"},
    std::string_view{"close_window"},
    std::string_view{"chrome_open_tabs"},
    std::string_view{"chrome_close_tabs"},
    std::string_view{"sleep"},
    std::string_view{"update_browse_history"},
    std::string_view{"execute_with_verification"},
    std::string_view{"upload_file"},
    std::string_view{"change_wallpaper"}};

std::optional<refusal> refused_step(const std::vector<setup_step>& steps,
                                    std::string_view where) {
  for (const auto& step : steps) {
    if (step.type == "googledrive" || step.type == "login")
      return refusal{"needs a Google account",
                     fmt::format("its {} has the step {}, which needs a Google "
                                 "account: use the split without Google Drive",
                                 where, step.type)};
    if (!is_setup_step(step.type))
      return refusal{
          "unknown setup step",
          fmt::format("its {} has the unknown step {}", where, step.type)};
  }
  return {};
}

std::optional<refusal> refused_getter(const std::optional<json>& config) {
  if (config && (*config)["type"] == "googledrive_file")
    return refusal{"needs a Google account",
                   "its grade reads Google Drive, which needs a Google "
                   "account: use the split without Google Drive"};
  return {};
}

} // namespace

bool is_setup_step(std::string_view type) {
  return std::find(setup_step_types.begin(), setup_step_types.end(), type)
         != setup_step_types.end();
}

std::optional<refusal> refusal_of(const desktop_task& task,
                                  const grading_means& means) {
  if (auto found = refused_step(task.config, "config")) return found;
  if (auto found = refused_step(task.graded.postconfig, "postconfig"))
    return found;
  for (const auto& use : task.graded.metrics) {
    if (auto found = refused_getter(use.result)) return found;
    if (auto found = refused_getter(use.expected)) return found;
  }
  if (means.official) return {};
  if (const auto lacking = not_native(task.graded); !lacking.empty())
    return refusal{"needs the official evaluators",
                   fmt::format("its grade needs the official evaluators ({}): "
                               "name a checkout with "
                               "environment.osworld.evaluators",
                               lacking)};
  return {};
}

} // namespace brewery::osworld

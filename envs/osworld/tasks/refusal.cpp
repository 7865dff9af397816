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

bool has_text(const json& from, const char* name) {
  const auto found = from.find(name);
  return found != from.end() && found->is_string()
         && !found->get_ref<const std::string&>().empty();
}

/// Whether "files" is a list whose items have `source` and "path".
bool has_files(const json& from, const char* source) {
  const auto files = from.find("files");
  return files != from.end() && files->is_array()
         && std::all_of(files->begin(), files->end(), [&](const json& file) {
              return file.is_object() && has_text(file, source)
                     && has_text(file, "path");
            });
}

bool is_pause(const json& from) {
  const auto seconds = from.find("seconds");
  return seconds != from.end() && seconds->is_number()
         && seconds->get<double>() >= 0
         && seconds->get<double>() <= sleep_s_most;
}

/// What a step needs to be run and has not; empty: it has all. The same as
/// setup_engine asks for, so that it shows before a rollout.
std::string lacking_of(const setup_step& step) {
  const auto& type = step.type;
  const auto& with = step.parameters;
  const auto text = [&](const char* name) {
    return has_text(with, name) ? "" : fmt::format("{}, a text", name);
  };
  if (type == "launch" || type == "execute" || type == "command"
      || type == "execute_with_verification")
    return is_command(with.value("command", json{}))
               ? ""
               : "command, a text or a list of texts";
  if (type == "open" || type == "change_wallpaper") return text("path");
  if (type == "activate_window" || type == "close_window")
    return text("window_name");
  if (type == "sleep" && !is_pause(with))
    return fmt::format("seconds, a number of 0 to {}", sleep_s_most);
  if (type == "download" && !has_files(with, "url"))
    return "files, each with url and path";
  if (type == "upload_file" && !has_files(with, "local_path"))
    return "files, each with local_path and path";
  return {};
}

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
    if (const auto lacking = lacking_of(step); !lacking.empty())
      return refusal{"malformed setup step",
                     fmt::format("its {} has the step {}, which needs {}",
                                 where, step.type, lacking)};
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
    if (!use.result)
      return refusal{"nothing to grade",
                     fmt::format("its evaluator has no result for the metric "
                                 "{} to look at",
                                 use.function)};
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

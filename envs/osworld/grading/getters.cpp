#include "envs/osworld/grading/getters.hpp"

#include "envs/osworld/grading/application_getters.hpp"
#include "envs/osworld/grading/metrics/metric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace brewery::osworld {

namespace {

result<std::string> needed_text(const json& config, const char* name) {
  const auto found = config.find(name);
  if (found == config.end() || !found->is_string())
    return raises(fmt::format("the getter {} needs {}",
                              config["type"].get<std::string>(), name));
  return found->get<std::string>();
}

/// The paths of a getter with "multi", and which of them are given on.
struct listed_paths {
  std::vector<std::string> paths;
  std::vector<bool> given;
};

result<listed_paths> paths_of(const json& config) {
  listed_paths out;
  const auto found = config.find("path");
  const bool multi = is_on(config, "multi", false);
  if (found != config.end() && found->is_string() && !multi)
    out.paths.push_back(found->get<std::string>());
  else if (found != config.end() && found->is_array() && multi)
    for (const auto& path : *found)
      out.paths.push_back(path.is_string() ? path.get<std::string>() : "");
  if (out.paths.empty()) return raises("the getter needs a path");
  const auto gives = config.value("gives", json::array({0}));
  for (std::size_t i = 0; i < out.paths.size(); ++i)
    out.given.push_back(std::find(gives.begin(), gives.end(), json(i))
                        != gives.end());
  return out;
}

using read_function =
    std::function<result<std::optional<std::string>>(const std::string&)>;

result<graded_value> files_value(const json& config,
                                 const read_function& read) {
  const auto listed = paths_of(config);
  if (!listed) return listed.error();
  graded_value out;
  for (std::size_t i = 0; i < listed->paths.size(); ++i) {
    if (!listed->given[i]) continue;
    auto content = read(listed->paths[i]);
    if (!content) return content.error();
    out.files.push_back(std::move(*content));
  }
  if (out.files.size() == 1)
    return graded_value::of_file(std::move(out.files.front()));
  out.is = graded_value::form::files;
  return out;
}

result<graded_value> cloud_file(const json& config,
                                const grading_scene& scene) {
  return files_value(
      config, [&](const auto& path) -> result<std::optional<std::string>> {
        auto bytes = scene.files.bytes(path);
        if (!bytes) return error{ec::environment, bytes.error().message};
        return std::optional{std::move(*bytes)};
      });
}

result<graded_value> guest_file(const std::string& path,
                                const grading_scene& scene) {
  auto content = scene.guest.file(path);
  if (!content) return content.error();
  return graded_value::of_file(std::move(*content));
}

result<graded_value> command_value(const json& config,
                                   const grading_scene& scene, bool errors) {
  if (!config.contains("command")) return raises("the getter needs a command");
  const auto done =
      scene.guest.execute(config["command"], is_on(config, "shell", false));
  if (!done) return done.error();
  if (!done->refused.empty()) return graded_value{};
  return graded_value::of_data(errors ? done->errors : done->output);
}

result<graded_value> saved_file(const json& config,
                                const grading_scene& scene) {
  const auto name = needed_text(config, "path");
  if (!name) return name.error();
  const auto found = scene.saved.find(*name);
  if (found == scene.saved.end())
    return raises("no step saved the file " + *name);
  return graded_value::of_file(found->second);
}

result<graded_value> directory_value(const json& config,
                                     const grading_scene& scene) {
  const auto path = needed_text(config, "path");
  if (!path) return path.error();
  auto tree = scene.guest.list_directory(*path);
  if (!tree) return tree.error();
  return *tree ? graded_value::of_data(std::move(**tree)) : graded_value{};
}

result<graded_value> terminal_value(const grading_scene& scene) {
  auto text = scene.guest.terminal();
  if (!text) return text.error();
  return *text ? graded_value::of_data(std::move(**text)) : graded_value{};
}

result<graded_value> window_value(const json& config,
                                  const grading_scene& scene) {
  const auto name = needed_text(config, "app_class_name");
  if (!name) return name.error();
  auto size = scene.guest.window_size(*name);
  if (!size) return size.error();
  return *size ? graded_value::of_data(std::move(**size)) : graded_value{};
}

} // namespace

result<graded_value> get_value(const json& config, const grading_scene& scene) {
  const auto type = config["type"].get<std::string>();
  if (type == "rule") {
    if (!config.contains("rules")) return raises("the getter needs rules");
    return graded_value::of_data(config["rules"]);
  }
  if (type == "vm_file")
    return files_value(
        config, [&](const auto& path) { return scene.guest.file(path); });
  if (type == "cloud_file") return cloud_file(config, scene);
  if (type == "cache_file") return saved_file(config, scene);
  if (type == "vm_command_line") return command_value(config, scene, false);
  if (type == "vm_command_error") return command_value(config, scene, true);
  if (type == "vm_terminal_output") return terminal_value(scene);
  if (type == "list_directory") return directory_value(config, scene);
  if (type == "gimp_config_file") {
    const auto name = needed_text(config, "file_name");
    if (!name) return name.error();
    return guest_file("~/.config/GIMP/2.10/" + *name, scene);
  }
  if (type == "vlc_config") return guest_file("~/.config/vlc/vlcrc", scene);
  if (type == "vm_screen_size") {
    auto size = scene.guest.screen_size();
    if (!size) return size.error();
    return graded_value::of_data(std::move(*size));
  }
  if (type == "vm_window_size") return window_value(config, scene);
  if (is_browser_getter(type)) return get_browser_value(type, scene.guest);
  if (is_application_getter(type))
    return get_application_value(config, scene.guest);
  return raises("there is no native getter " + type);
}

} // namespace brewery::osworld

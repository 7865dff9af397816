#include "envs/osworld/grading/native_names.hpp"

#include "envs/osworld/grading/application_getters.hpp"
#include "envs/osworld/grading/metrics/metric.hpp"
#include "envs/osworld/grading/relative_time.hpp"

#include <algorithm>
#include <array>

namespace brewery::osworld {

namespace {

constexpr std::array getter_names{std::string_view{"rule"},
                                  std::string_view{"vm_file"},
                                  std::string_view{"cloud_file"},
                                  std::string_view{"cache_file"},
                                  std::string_view{"vm_command_line"},
                                  std::string_view{"vm_command_error"},
                                  std::string_view{"vm_terminal_output"},
                                  std::string_view{"list_directory"},
                                  std::string_view{"gimp_config_file"},
                                  std::string_view{"vlc_config"},
                                  std::string_view{"vm_screen_size"},
                                  std::string_view{"vm_window_size"}};

} // namespace

bool is_native_getter(std::string_view type) {
  return std::find(getter_names.begin(), getter_names.end(), type)
             != getter_names.end()
         || is_browser_getter(type) || is_application_getter(type);
}

bool is_native_metric(std::string_view name) {
  return native_metric(name) != nullptr;
}

namespace {

/// Whether this metric can be computed with the rules that it is given.
bool knows_rules(const metric_use& use) {
  if (use.function != "check_accessibility_tree") return true;
  return use.expected && (*use.expected)["type"] == "rule"
         && knows_tree_rules(use.expected->value("rules", json{}))
         && use.options.value("osname", std::string{"ubuntu"}) == "ubuntu";
}

bool knows_time(const json& config) {
  return config["type"] != "rule_relativeTime"
         || knows_relative_time(config.value("rules", json{}));
}

} // namespace

std::string not_native(const evaluator& graded) {
  std::vector<std::string> lacking;
  const auto add = [&lacking](const std::string& name) {
    if (std::find(lacking.begin(), lacking.end(), name) == lacking.end())
      lacking.push_back(name);
  };
  for (const auto& use : graded.metrics) {
    if (!is_native_metric(use.function)) add(use.function);
    // YAML has no parser here.
    if (is_on(use.options, "is_yaml", false)) add(use.function + " of YAML");
    if (!knows_rules(use)) add(use.function + " of these rules");
    for (const auto* config : {&use.result, &use.expected}) {
      if (!*config) continue;
      const auto type = (**config)["type"].get<std::string>();
      if (!is_native_getter(type))
        add(type);
      else if (!knows_time(**config))
        add(type + " of this time");
    }
  }
  std::string out;
  for (const auto& name : lacking)
    out += (out.empty() ? "" : ", ") + name;
  return out;
}

} // namespace brewery::osworld

/// Getters over the settings that Chrome keeps as JSON in its profile. Where
/// the official getter catches every exception, its fallback is used.
#include "envs/osworld/grading/getters.hpp"
#include "envs/osworld/grading/metrics/metric.hpp"
#include "envs/osworld/grading/python/py_json.hpp"
#include "envs/tau2/python_rules/python_text.hpp"

#include <array>

namespace brewery::osworld {

namespace {

constexpr std::array profile_directories{
    "~/.config/google-chrome/Default/",
    "~/snap/chromium/common/chromium/Default/"}; // the image for ARM

/// data.get(name, {}); null where it raises.
json member_of(const json& data, const char* name) {
  if (!data.is_object()) return {};
  const auto found = data.find(name);
  return found == data.end() ? json::object() : *found;
}

const char* as_flag(bool value) {
  return value ? "true" : "false";
}

json search_engine(const json& preferences) {
  const auto provider = member_of(preferences, "default_search_provider_data");
  const auto data = member_of(provider, "template_url_data");
  return data.is_object() ? data.value("short_name", json("Google"))
                          : json("Google");
}

json safe_browsing(const json& preferences) {
  const auto data = member_of(preferences, "safebrowsing");
  return as_flag(is_on(data, "enhanced", false)
                 || is_on(data, "enabled", false));
}

json startup_page(const json& preferences) {
  if (!preferences.is_object()) return "Google";
  if (!preferences.contains("session")) return "true";
  const auto session = member_of(preferences, "session");
  if (!session.is_object()) return "Google";
  return as_flag(
      tau2::py_equal(session.value("restore_on_startup", json{}), 5));
}

json automatic_deletion(const json& preferences) {
  const auto profile =
      preferences.is_object() ? preferences.value("profile", json{}) : json{};
  if (!profile.is_object()) return "Google";
  return as_flag(
      !profile.value("default_content_setting_values", json{}).is_null());
}

json font_sizes(const json& preferences) {
  static const json usual{{"default_fixed_font_size", 13},
                          {"default_font_size", 16},
                          {"minimum_font_size", 13}};
  const auto webkit = member_of(preferences, "webkit");
  return webkit.is_object() ? webkit.value("webprefs", usual) : usual;
}

json profile_name(const json& preferences) {
  const auto profile = member_of(preferences, "profile");
  return profile.is_object() ? profile.value("name", json{}) : json{};
}

json do_not_track(const json& preferences) {
  return as_flag(preferences.is_object()
                 && is_on(preferences, "enable_do_not_track", false));
}

struct browser_setting {
  std::string_view type;
  json (*read)(const json& preferences);
};
constexpr std::array browser_settings{
    browser_setting{"default_search_engine", search_engine},
    browser_setting{"enable_safe_browsing", safe_browsing},
    browser_setting{"new_startup_page", startup_page},
    browser_setting{"data_delete_automacally", automatic_deletion},
    browser_setting{"chrome_font_size", font_sizes},
    browser_setting{"profile_name", profile_name},
    browser_setting{"enable_do_not_track", do_not_track}};

result<graded_value> bookmarks(guest_client& guest) {
  const auto content = profile_file(guest, "Bookmarks");
  if (!content) return content.error();
  if (!*content || (*content)->empty())
    return graded_value::of_data(json::array());
  const auto data = py_json_loads(**content);
  if (!data) return data.error();
  return graded_value::of_data(member_of(*data, "roots"));
}

} // namespace

result<std::optional<std::string>> profile_file(guest_client& guest,
                                                const std::string& name) {
  for (const auto* directory : profile_directories) {
    auto content = guest.file(directory + name);
    if (!content || *content) return content;
  }
  return std::optional<std::string>{};
}

bool is_browser_getter(std::string_view type) {
  if (type == "bookmarks") return true;
  for (const auto& setting : browser_settings)
    if (setting.type == type) return true;
  return false;
}

result<graded_value> get_browser_value(std::string_view type,
                                       guest_client& guest) {
  if (type == "bookmarks") return bookmarks(guest);
  const auto content = profile_file(guest, "Preferences");
  if (!content) return content.error();
  json preferences;
  if (*content)
    if (const auto data = py_json_loads(**content)) preferences = *data;
  for (const auto& setting : browser_settings)
    if (setting.type == type)
      return graded_value::of_data(setting.read(preferences));
  return raises("there is no such setting of the browser");
}

} // namespace brewery::osworld

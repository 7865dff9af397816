#include "envs/osworld/grading/application_getters.hpp"

#include "base/text.hpp"
#include "envs/osworld/grading/metrics/metric.hpp"
#include "envs/osworld/grading/python/py_json.hpp"
#include "envs/osworld/grading/python/py_text.hpp"
#include "envs/osworld/grading/relative_time.hpp"
#include "envs/osworld/grading/sqlite_file.hpp"
#include "envs/osworld/grading/tab_address.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

namespace brewery::osworld {

namespace {

result<graded_value> tree_value(const json&, guest_client& guest) {
  auto tree = guest.accessibility();
  if (!tree) return tree.error();
  return graded_value::of_data(std::move(*tree));
}

result<graded_value> tab_value(const json& config, guest_client& guest) {
  const auto tree = guest.accessibility();
  if (!tree) return tree.error();
  auto value = address_value(config, *tree);
  if (!value) return value.error();
  return graded_value::of_data(std::move(*value));
}

/// All of it; None if it cannot be read, as the official getter has it.
result<graded_value> history(const json&, guest_client& guest) {
  auto content = profile_file(guest, "History");
  if (!content) return content.error();
  if (!*content) return graded_value{};
  auto rows = sqlite_rows(std::move(**content),
                          "SELECT url, title, last_visit_time FROM urls");
  if (!rows) return graded_value{};
  return graded_value::of_data(json(std::move(*rows)));
}

/// One member of the settings of each extension; "Google" where the official
/// getter catches what it raised.
json of_each_extension(const std::optional<std::string>& preferences,
                       const json::json_pointer& member) {
  if (!preferences) return "Google";
  const auto data = py_json_loads(*preferences);
  if (!data || !data->is_object()) return "Google";
  const auto extensions = data->value("extensions", json::object());
  if (!extensions.is_object()) return "Google";
  const auto settings = extensions.value("settings", json::object());
  if (!settings.is_object()) return "Google";
  json out = json::array();
  for (const auto& extension : settings) {
    if (!extension.contains(member)) return "Google";
    out.push_back(extension[member]);
  }
  return out;
}

result<graded_value> extensions(const json& config, guest_client& guest) {
  const bool paths = config["type"] == "find_unpacked_extension_path";
  const auto content = profile_file(guest, "Preferences");
  if (!content) return content.error();
  return graded_value::of_data(of_each_extension(
      *content, json::json_pointer{paths ? "/path" : "/manifest/name"}));
}

result<graded_value> shortcuts(const json&, guest_client& guest) {
  const auto directory = guest.desktop_path();
  if (!directory) return directory.error();
  const auto tree = *directory ? guest.list_directory(**directory)
                               : result<std::optional<json>>{std::nullopt};
  if (!tree) return tree.error();
  if (!*tree || !(*tree)->contains("children"))
    return raises("there is no desktop directory");
  json out = json::object();
  for (const auto& entry : (**tree)["children"]) {
    const auto name = entry.value("name", std::string{});
    if (!name.ends_with(".desktop")) continue;
    auto content = guest.file(**directory + "/" + name);
    if (!content) return content.error();
    if (!*content) return raises("a shortcut cannot be read: " + name);
    if (auto text = py_read_text(**content); !text) return text.error();
    out[name] = std::move(**content);
  }
  return graded_value::of_data(std::move(out));
}

/// What VLC says over HTTP. That it does not answer is what the agent did, as
/// long as the desktop does.
result<graded_value> vlc_status(const json&, guest_client& guest) {
  const auto& at = guest.address();
  http_question question{"GET", "/requests/status.xml"};
  question.authorization = "Basic OnBhc3N3b3Jk"; // ":password", as the images'
  auto answer = http_call({at.host, at.vlc_port, {}}, question, {});
  if (answer.end == call_end::replied)
    return answer.status == 200 ? graded_value::of_file(std::move(answer.body))
                                : graded_value{};
  if (auto alive = guest.screenshot(); !alive) return alive.error();
  return raises("VLC does not answer: " + answer.what);
}

/// What the official getter asks xdg-mime for, once each.
constexpr const char* video_types =
    "3gp 3gpp 3gpp2 avi divx dv fli flv mp2t mp4 mp4v-es mpeg mpeg-system "
    "msvideo ogg quicktime vnd.divx vnd.mpegurl vnd.rn-realvideo webm x-anim "
    "x-avi x-flc x-fli x-flv x-m4v x-matroska x-mpeg x-mpeg-system x-mpeg2 "
    "x-ms-asf x-ms-asf-plugin x-ms-asx x-ms-wm x-ms-wmv x-ms-wmx x-ms-wvx "
    "x-msvideo x-nsv x-ogm x-ogm+ogg x-theora x-theora+ogg";

/// The player of most types; of several, the first. The official list has all
/// types twice but one.
result<graded_value> default_video_player(const json&, guest_client& guest) {
  const auto said = guest.execute(
      fmt::format("for type in {}; do echo \"$type $(xdg-mime query default "
                  "video/$type)\"; done",
                  video_types),
      true);
  if (!said) return said.error();
  std::vector<std::pair<std::string, int>> players;
  for (const auto line : split(said->output, '\n')) {
    const auto space = line.find(' ');
    if (space == std::string_view::npos || space + 1 == line.size()) continue;
    const std::string player{line.substr(space + 1)};
    auto found =
        std::find_if(players.begin(), players.end(), [&](const auto& counted) {
          return counted.first == player;
        });
    if (found == players.end()) found = players.insert(found, {player, 0});
    found->second += line.substr(0, space) == "x-ogm+ogg" ? 1 : 2;
  }
  const auto most = std::max_element(
      players.begin(), players.end(),
      [](const auto& a, const auto& b) { return a.second < b.second; });
  return graded_value::of_data(
      most == players.end() ? json("unknown") : json(most->first + "\n"));
}

/// The day in a time zone by this machine's clock, as `date` of the guest has
/// its zones; without a zone, the day in the guest.
result<std::chrono::sys_days> today_of(const json& rules, guest_client& guest) {
  json command{"date", "+%Y %m %d"};
  if (const auto zone = rules.find("timezone");
      zone != rules.end() && is_true(*zone)) {
    if (!zone->is_string()) return raises("the timezone must be a text");
    const auto now = std::chrono::duration_cast<std::chrono::seconds>(
        std::chrono::system_clock::now().time_since_epoch());
    command = {"env", "TZ=" + zone->get<std::string>(), "date",
               fmt::format("--date=@{}", now.count()), "+%Y %m %d"};
  }
  const auto said = guest.execute(command, false);
  if (!said) return said.error();
  int year = 0;
  unsigned month = 0, day = 0;
  std::istringstream words{said->output};
  if (!(words >> year >> month >> day))
    return raises("the guest does not tell the date");
  const auto date = std::chrono::year{year} / std::chrono::month{month}
                    / std::chrono::day{day};
  if (!date.ok()) return raises("the guest does not tell the date");
  return std::chrono::sys_days{date};
}

result<graded_value> rules_of_today(const json& config, guest_client& guest) {
  const auto rules = config.find("rules");
  if (rules == config.end() || !rules->is_object())
    return raises("the getter needs rules");
  const auto today = today_of(*rules, guest);
  if (!today) return today.error();
  auto dated = rules_at(*rules, *today);
  if (!dated) return dated.error();
  return graded_value::of_data(std::move(*dated));
}

struct application_getter {
  std::string_view type;
  result<graded_value> (*read)(const json& config, guest_client& guest);
};
constexpr std::array application_getters{
    application_getter{"accessibility_tree", tree_value},
    application_getter{"history", history},
    application_getter{"find_unpacked_extension_path", extensions},
    application_getter{"find_installed_extension_name", extensions},
    application_getter{"shortcuts_on_desktop", shortcuts},
    application_getter{"vlc_playing_info", vlc_status},
    application_getter{"default_video_player", default_video_player},
    application_getter{"rule_relativeTime", rules_of_today}};

const application_getter* getter_of(std::string_view type) {
  const auto found =
      std::find_if(application_getters.begin(), application_getters.end(),
                   [&](const auto& getter) { return getter.type == type; });
  return found == application_getters.end() ? nullptr : &*found;
}

} // namespace

bool is_application_getter(std::string_view type) {
  return getter_of(type) != nullptr || is_address_getter(type);
}

result<graded_value> get_application_value(const json& config,
                                           guest_client& guest) {
  const auto type = config["type"].get<std::string>();
  const auto* getter = getter_of(type);
  return getter ? getter->read(config, guest) : tab_value(config, guest);
}

} // namespace brewery::osworld

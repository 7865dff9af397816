/// What VLC plays, by the state that it tells over HTTP.
#include "envs/osworld/grading/metrics/xml_input.hpp"
#include "envs/osworld/grading/python/py_url.hpp"

#include <fmt/format.h>

namespace brewery::osworld {

namespace {

/// The text of the first of these that has one.
std::string first_information(
    const xml_nodes& state,
    const std::vector<std::pair<const char*, const char*>>& names) {
  for (const auto& [category, name] : names) {
    const auto found =
        selected(state, fmt::format("/*/information/category[@name='{}']"
                                    "/info[@name='{}']",
                                    category, name));
    if (!found.empty() && !state[found.front()].text.empty())
      return state[found.front()].text;
  }
  return {};
}

std::string base_name(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

metric_score plays_file(const xml_nodes& state, const json& rule) {
  const auto playing = first_information(state, {{"meta", "filename"},
                                                 {"meta", "title"},
                                                 {"meta", "uri"},
                                                 {"meta", "location"},
                                                 {"meta", "name"}});
  if (playing.empty()) return 0.0;
  if (!rule.contains("file_name") || !rule["file_name"].is_string())
    return raises("the rule has no file_name");
  return playing.ends_with(rule["file_name"].get_ref<const std::string&>())
             ? 1.0
             : 0.0;
}

bool is_same_place(const std::string& playing, const std::string& wanted) {
  const auto expected = py_urlparse(wanted);
  if (!expected) return false;
  if (playing == base_name(expected->path)) return true;
  if (playing.find("://") == std::string::npos) return false;
  const auto actual = py_urlparse(playing);
  return actual && actual->netloc == expected->netloc
         && actual->path.find(expected->path) != std::string::npos;
}

metric_score plays_address(const xml_nodes& state, const json& rule) {
  const auto playing = first_information(state, {{"meta", "url"},
                                                 {"meta", "URI"},
                                                 {"meta", "location"},
                                                 {"meta", "title"},
                                                 {"meta", "filename"},
                                                 {"Stream 0", "Codec"},
                                                 {"Stream 0", "Type"},
                                                 {"Stream 0", "Language"}});
  // The official metric reads the rule first for its log.
  if (!rule.contains("url") || !rule["url"].is_string())
    return raises("the rule has no url");
  if (playing.empty()) return 0.0;
  const auto& wanted = rule["url"].get_ref<const std::string&>();
  return playing.find(wanted) != std::string::npos
                 || is_same_place(playing, wanted)
             ? 1.0
             : 0.0;
}

metric_score is_vlc_playing(const metric_input& in) {
  const auto state = nodes_of(in.result);
  if (!state) return state.error();
  const auto named = selected(*state, "/*/state");
  if (named.empty()) return raises("VLC tells no state");
  if ((*state)[named.front()].text != "playing") return 0.0;
  const auto rules = rules_of(in);
  if (!rules) return rules.error();
  const auto type = rule_of(in, "type");
  if (!type) return type.error();
  if (*type == "file_name") return plays_file(*state, *rules);
  if (*type == "url") return plays_address(*state, *rules);
  return 0.0;
}

} // namespace

const metric_table& vlc_state_metrics() {
  static const metric_table table{{"is_vlc_playing", is_vlc_playing}};
  return table;
}

} // namespace brewery::osworld

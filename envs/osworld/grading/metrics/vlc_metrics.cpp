/// Metrics over vlcrc, the configuration of VLC: the last line with a key
/// counts, and a default if there is none.
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "envs/osworld/grading/metrics/metric.hpp"
#include "envs/osworld/grading/python/py_text.hpp"
#include "envs/tau2/python_rules/python_text.hpp"

namespace brewery::osworld {

namespace {

/// open(path, 'rb').read().decode('utf-8').split("\n").
result<std::vector<std::string>> vlcrc_lines(const graded_value& value) {
  // Reading as text checks the bytes; the metrics strip a "\r" themselves.
  if (const auto text = text_of(value); !text) return text.error();
  std::vector<std::string> out;
  for (const auto line : split(*value.files.front(), '\n'))
    out.emplace_back(line);
  return out;
}

/// The text after the last '=', stripped.
std::string value_in(const std::string& line) {
  const auto at = line.find_last_of('=');
  return std::string{py_strip(
      std::string_view{line}.substr(at == std::string::npos ? 0 : at + 1))};
}

struct vlc_setting {
  const char* key;      ///< as it stands in a line
  const char* fallback; ///< VLC's default
  const char* rule;
};

/// `expected` of a rule: a number stands for its text.
result<std::string> expected_text(const metric_input& in, const char* rule) {
  const auto expected = rule_of(in, rule);
  if (!expected) return expected.error();
  if (expected->is_string()) return expected->get<std::string>();
  if (expected->is_number_integer() || expected->is_boolean())
    return tau2::py_str(*expected);
  return std::string{"\xff"}; // equals no setting
}

metric_score check_setting(const metric_input& in, const vlc_setting& which) {
  const auto lines = vlcrc_lines(in.result);
  if (!lines) return lines.error();
  const auto expected = expected_text(in, which.rule);
  if (!expected) return expected.error();
  std::string value = which.fallback;
  for (const auto& line : *lines)
    if (line.find(which.key) != std::string::npos) value = value_in(line);
  return value == *expected ? 1.0 : 0.0;
}

metric_score check_qt_bgcone(const metric_input& in) {
  return check_setting(in, {"qt-bgcone=", "1", "expected_qt_bgcone"});
}
metric_score check_qt_max_volume(const metric_input& in) {
  return check_setting(in, {"qt-max-volume=", "125", "expected_qt_max_volume"});
}
metric_score check_qt_minimal_view(const metric_input& in) {
  return check_setting(in,
                       {"qt-minimal-view=", "0", "expected_qt_minimal_view"});
}
metric_score check_one_instance(const metric_input& in) {
  return check_setting(in, {"one-instance-when-started-from-file=", "1",
                            "expected_one_instance_when_started_from_file"});
}
metric_score check_play_and_exit(const metric_input& in) {
  return check_setting(in, {"play-and-exit=", "0", "expected_play_and_exit"});
}

metric_score check_global_key(const metric_input& in) {
  const auto lines = vlcrc_lines(in.result);
  if (!lines) return lines.error();
  const auto expected = expected_text(in, "expected_global_key_play_pause");
  if (!expected) return expected.error();
  std::string value = "0";
  for (const auto& line : *lines)
    if (line.find("global-key-play-pause=") != std::string::npos)
      value = value_in(line).empty() ? "0" : "1";
  return value == *expected ? 1.0 : 0.0;
}

metric_score is_vlc_recordings_folder(const metric_input& in) {
  const auto lines = vlcrc_lines(in.result);
  if (!lines) return lines.error();
  const auto expected = rule_of(in, "recording_file_path");
  if (!expected) return expected.error();
  for (const auto& line : *lines)
    if (!line.starts_with('#')
        && line.find("input-record-path") != std::string::npos)
      return *expected == value_in(line) ? 1.0 : 0.0;
  return 0.0;
}

/// Red, green and blue of each colour below 100; a rest of one or two numbers
/// is no colour.
metric_score is_blackish(const std::string& colours) {
  const auto parts = split(colours, ';');
  std::vector<int> values;
  for (const auto part : parts) {
    const auto value = whole_number<int>(trim(part));
    if (!value) return 0.0;
    values.push_back(*value);
  }
  for (std::size_t i = 0; i < values.size() / 3 * 3; ++i)
    if (values[i] >= 100) return 0.0;
  return 1.0;
}

metric_score check_qt_slider_colours(const metric_input& in) {
  const auto lines = vlcrc_lines(in.result);
  if (!lines) return lines.error();
  std::string colours = "153;210;153;20;210;20;255;199;15;245;39;29";
  for (const auto& line : *lines)
    if (line.find("qt-slider-colours") != std::string::npos)
      colours = value_in(line);
  const auto type = rule_of(in, "type");
  if (!type) return 0.0;
  if (*type == "blackish") return is_blackish(colours);
  const auto expected = rule_of(in, "expected_qt_slider_colours");
  return *type == "match" && expected && *expected == colours ? 1.0 : 0.0;
}

} // namespace

const metric_table& vlc_metrics() {
  static const metric_table table{
      {"check_qt_bgcone", check_qt_bgcone},
      {"check_qt_max_volume", check_qt_max_volume},
      {"check_qt_minimal_view", check_qt_minimal_view},
      {"check_one_instance_when_started_from_file", check_one_instance},
      {"check_play_and_exit", check_play_and_exit},
      {"check_global_key_play_pause", check_global_key},
      {"is_vlc_recordings_folder", is_vlc_recordings_folder},
      {"check_qt_slider_colours", check_qt_slider_colours}};
  return table;
}

} // namespace brewery::osworld

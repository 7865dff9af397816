/// Metrics over registrymodifications.xcu, the settings of LibreOffice.
#include "base/text.hpp"
#include "envs/osworld/grading/metrics/xml_input.hpp"
#include "envs/osworld/grading/python/py_text.hpp"
#include "envs/tau2/python_rules/python_text.hpp"

#include <fmt/format.h>

namespace brewery::osworld {

namespace {

constexpr const char* registry = "http://openoffice.org/2001/registry";

/// The properties of a name in items of a path; `below`: "/" or "//".
std::vector<std::size_t> properties(const xml_nodes& settings,
                                    std::string_view path,
                                    std::string_view name,
                                    std::string_view below) {
  return selected(settings,
                  fmt::format("//item[@oor:path='{}']{}prop[@oor:name='{}']",
                              path, below, name),
                  {{"oor", registry}});
}

metric_score check_presenter_console_disable(const metric_input& in) {
  const auto settings = nodes_of(in.result);
  if (!settings) return 0.0; // the official metric catches what it raises
  const auto found =
      properties(*settings, "/org.openoffice.Office.Impress/Misc/Start",
                 "EnablePresenterScreen", "/");
  if (found.empty()) return 0.0;
  const auto* value = first_below(*settings, found.front(), "value", true);
  return value && py_lower(value->text) == "false" ? 1.0 : 0.0;
}

/// int(text) of decimal digits.
result<std::int64_t> int_of(std::string_view text) {
  text = py_strip(text);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  const auto out = whole_number<std::int64_t>(text);
  if (!out) return raises("the setting is no number");
  return *out;
}

/// Of each item that has it, the first property of the name.
std::vector<std::size_t> first_properties(const xml_nodes& settings,
                                          std::string_view path,
                                          std::string_view name) {
  std::vector<std::size_t> out;
  const auto all = properties(settings, path, name, "//");
  for (const auto item :
       selected(settings, fmt::format("//item[@oor:path='{}']", path),
                {{"oor", registry}})) {
    auto end = item + 1;
    while (end < settings.size() && settings[end].depth > settings[item].depth)
      ++end;
    for (const auto index : all)
      if (index > item && index < end) {
        out.push_back(index);
        break;
      }
  }
  return out;
}

metric_score check_auto_saving_time(const metric_input& in) {
  const auto minutes = rule_of(in, "minutes");
  if (!minutes) return minutes.error();
  const auto settings = nodes_of(in.result);
  if (!settings) return settings.error();
  std::optional<std::string> time;
  for (const auto index : first_properties(
           *settings, "/org.openoffice.Office.Common/Save/Document",
           "AutoSaveTimeIntervall")) {
    const auto* value = first_below(*settings, index, "value", false);
    if (!value) return raises("the setting has no value");
    time = value->text;
  }
  if (!time || time->empty()) return 0.0;
  const auto number = int_of(*time);
  if (!number) return number.error();
  return tau2::py_equal(json(*number), *minutes) ? 1.0 : 0.0;
}

metric_score find_default_font(const metric_input& in) {
  const auto wanted = rule_of(in, "font_name");
  if (!wanted) return wanted.error();
  json font;
  if (const auto settings = nodes_of(in.result))
    for (const auto index :
         properties(*settings, "/org.openoffice.Office.Writer/DefaultFont",
                    "Standard", "//")) {
      const auto depth = (*settings)[index].depth;
      for (auto i = index + 1;
           i < settings->size() && (*settings)[i].depth > depth; ++i) {
        const auto& below = (*settings)[i];
        if (below.depth == depth + 1 && below.tag == "value")
          font = below.text.empty() ? json{} : json(below.text);
      }
    }
  else if (is_missing(in.result))
    return 0.0;
  return font == *wanted ? 1.0 : 0.0;
}

} // namespace

const metric_table& office_metrics() {
  static const metric_table table{
      {"check_presenter_console_disable", check_presenter_console_disable},
      {"check_auto_saving_time", check_auto_saving_time},
      {"find_default_font", find_default_font}};
  return table;
}

} // namespace brewery::osworld

/// Metrics over Thunderbird's prefs.js and filter rules.
#include "base/text.hpp"
#include "envs/osworld/grading/metrics/metric.hpp"
#include "envs/osworld/grading/python/py_json.hpp"
#include "envs/osworld/grading/python/py_regex.hpp"
#include "envs/osworld/grading/python/py_text.hpp"
#include "envs/tau2/python_rules/python_text.hpp"

#include <algorithm>
#include <memory>

namespace brewery::osworld {

namespace {

metric_score check_thunderbird_prefs(const metric_input& in) {
  if (in.result.is == graded_value::form::none) return 0.0;
  const auto rules = rules_of(in);
  if (!rules) return rules.error();
  if (!rules->is_object()) return raises("the rules must be an object");
  const auto text = text_of(in.result);
  if (!text) return text.error();
  static const auto pattern =
      py_regex::compile(R"re(^user_pref\("((?:[^"]|\\")+)\", (.+)\);$)re");
  const auto wanted = rules->value("expect", json::object());
  const auto unwanted = rules->value("unexpect", json::object());
  std::map<std::string, bool> met;
  bool clean = true;
  for (const auto line : py_file_lines(*text)) {
    const auto parts = pattern->match(py_strip(line));
    if (!parts) return parts.error();
    if (!*parts) continue;
    const auto& key = (**parts)[1];
    const auto value = py_json_loads((**parts)[2]);
    if (!value) return value.error();
    const bool is_wanted = wanted.contains(key);
    if (!is_wanted && (!unwanted.contains(key) || !clean)) continue;
    const auto matched =
        matches_rule(*value, is_wanted ? wanted[key] : unwanted[key]);
    if (!matched) return matched.error();
    if (is_wanted)
      met[key] = *matched; // the last line of a key counts
    else
      clean = !*matched;
  }
  for (const auto& [key, rule] : wanted.items())
    if (!met[key]) return 0.0;
  return clean ? 1.0 : 0.0;
}

/// A line NAME="VALUE" of the filter file, without the quotes and escapes.
std::string filter_value(std::string_view line, std::size_t name_size) {
  // The official one cuts the quote and the line's end by position.
  const auto from = name_size + 2;
  const auto size = line.size() >= from + 2 ? line.size() - from - 2 : 0;
  auto out = std::string{line.substr(std::min(from, line.size()), size)};
  out = replace_all(std::move(out), "\\\"", "\"");
  return replace_all(std::move(out), "\\\\", "\\");
}

result<json> conditions_in(const std::string& text) {
  static const auto pattern = py_regex::compile(
      R"re(\b(?:AND|OR) \((?:[\w ]+),(?:[\w ']+),(?:"(?:(?:[^"]|")+)"|(?:[^)]+))\)|\bALL\b)re");
  const auto found = pattern->find_all(text);
  if (!found) return found.error();
  return json(*found);
}

/// Without a name between them, two conditions belong to one filter, which the
/// official list then holds twice.
using filter_list = std::vector<std::shared_ptr<json>>;

result<filter_list> filters_in(const std::string& text) {
  filter_list out;
  std::shared_ptr<json> current;
  for (const auto line : py_file_lines(text)) {
    if (line.starts_with("name="))
      current = std::make_shared<json>(json::object());
    for (const std::string_view name :
         {"name", "enabled", "type", "action", "actionValue", "condition"}) {
      if (!line.starts_with(std::string{name} + "=")) continue;
      if (!current) return raises("the filter file has a line before a name");
      const auto value = filter_value(line, name.size());
      if (name != "condition") {
        (*current)[std::string{name}] = value;
        continue;
      }
      auto conditions = conditions_in(value);
      if (!conditions) return conditions.error();
      (*current)["condition"] = std::move(*conditions);
      out.push_back(current);
    }
  }
  return out;
}

bool matches_filter(const json& pattern, const json& filter) {
  return pattern.is_object()
         && std::all_of(pattern.items().begin(), pattern.items().end(),
                        [&](const auto& entry) {
                          const auto found = filter.find(entry.key());
                          return found != filter.end()
                                 && tau2::py_equal(*found, entry.value());
                        });
}

metric_score check_thunderbird_filter(const metric_input& in) {
  if (in.result.is == graded_value::form::none) return 0.0;
  const auto rules = rules_of(in);
  if (!rules) return rules.error();
  if (!rules->is_object()) return raises("the rules must be an object");
  const auto text = text_of(in.result);
  if (!text) return text.error();
  const auto filters = filters_in(*text);
  if (!filters) return filters.error();
  const auto is_there = [&](const json& pattern) {
    return std::any_of(
        filters->begin(), filters->end(),
        [&](const auto& filter) { return matches_filter(pattern, *filter); });
  };
  const auto wanted = rules->value("expect", json::array());
  const auto unwanted = rules->value("unexpect", json::array());
  return std::all_of(wanted.begin(), wanted.end(), is_there)
                 && std::none_of(unwanted.begin(), unwanted.end(), is_there)
             ? 1.0
             : 0.0;
}

} // namespace

const metric_table& thunderbird_metrics() {
  static const metric_table table{
      {"check_thunderbird_prefs", check_thunderbird_prefs},
      {"check_thunderbird_filter", check_thunderbird_filter}};
  return table;
}

} // namespace brewery::osworld

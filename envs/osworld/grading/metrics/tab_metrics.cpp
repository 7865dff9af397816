/// Metrics over the browser's tabs, history, extensions and shortcuts.
#include "base/text.hpp"
#include "envs/osworld/grading/metrics/metric.hpp"
#include "envs/osworld/grading/python/py_regex.hpp"
#include "envs/osworld/grading/python/py_text.hpp"
#include "envs/osworld/grading/python/py_url.hpp"
#include "envs/tau2/python_rules/python_text.hpp"

#include <algorithm>

namespace brewery::osworld {

namespace {

/// An address: the text, or "url" of an object. Null: neither.
json address_in(const graded_value& value) {
  if (value.data.is_string()) return value.data;
  if (value.data.is_object()) return value.data.value("url", json{});
  return {};
}

metric_score is_expected_url_pattern_match(const metric_input& in) {
  if (is_missing(in.result)) return 0.0;
  const auto address = address_in(in.result);
  const bool has_address =
      in.result.data.is_string()
      || (in.result.data.is_object() && in.result.data.contains("url"));
  if (!has_address) return 0.0;
  const auto patterns = rule_of(in, "expected");
  if (!patterns) return patterns.error();
  const auto each = tau2::py_elements(*patterns);
  if (!each) return each.error();
  for (const auto& pattern : *each) {
    if (!pattern.is_string() || !address.is_string())
      return raises("a pattern and an address must be texts");
    const auto compiled =
        py_regex::compile(pattern.get_ref<const std::string&>());
    if (!compiled) return compiled.error();
    const auto found = compiled->search(address.get_ref<const std::string&>());
    if (!found) return found.error();
    if (!*found) return 0.0;
  }
  return 1.0;
}

result<std::string> without_query(const json& address) {
  if (!address.is_string()) return raises("an address must be a text");
  auto parsed = py_urlparse(address.get_ref<const std::string&>());
  if (!parsed) return parsed.error();
  parsed->query.clear();
  return py_urlunparse(*parsed);
}

metric_score is_expected_active_tab_approximate(const metric_input& in) {
  if (is_missing(in.result)) return 0.0;
  const auto type = rule_of(in, "type");
  if (!type) return type.error();
  if (*type != "url") return 0.0;
  const auto wanted = rule_of(in, "url");
  if (!wanted) return wanted.error();
  const auto expected = without_query(*wanted);
  if (!expected) return expected.error();
  const auto got = without_query(address_in(in.result));
  if (!got) return got.error();
  return *got == *expected ? 1.0 : 0.0;
}

/// Of the texts; what is none makes the official metric raise.
result<std::vector<std::string>> texts_of(const json& list) {
  const auto each = tau2::py_elements(list);
  if (!each) return each.error();
  std::vector<std::string> out;
  for (const auto& one : *each) {
    if (!one.is_string()) return raises("it must be a list of texts");
    out.push_back(one.get<std::string>());
  }
  return out;
}

metric_score check_history_deleted(const metric_input& in) {
  const auto type = rule_of(in, "type");
  if (!type) return type.error();
  if (*type != "keywords") return raises("there is no such type of rule");
  if (in.result.is != graded_value::form::data || !in.result.data.is_array())
    return raises("there is no history");
  json addresses = json::array();
  for (const auto& visit : in.result.data) {
    if (!visit.is_array() || visit.empty())
      return raises("an entry of the history is empty");
    addresses.push_back(visit[0]);
  }
  const auto words = rule_of(in, "keywords");
  if (!words) return words.error();
  const auto keywords = tau2::py_elements(*words);
  if (!keywords) return keywords.error();
  for (const auto& keyword : *keywords)
    for (const auto& address : addresses) {
      const auto found = py_contains(address, keyword);
      if (!found) return found.error();
      if (*found) return 0.0;
    }
  return 1.0;
}

/// A name that Chrome's store has changed.
std::string canonical_name(std::string name) {
  return name == "Zoom for Google Chrome" ? "Zoom Chrome Extension" : name;
}

metric_score is_expected_installed_extensions(const metric_input& in) {
  if (is_missing(in.result)) return 0.0;
  const auto expected = rule_of(in, "expected");
  if (!expected) return expected.error();
  const auto wanted = texts_of(*expected);
  if (!wanted) return wanted.error();
  auto installed = texts_of(in.result.data);
  if (!installed) return installed.error();
  for (auto& name : *installed)
    name = canonical_name(std::move(name));
  const auto is_there = [&](const std::string& name) {
    return std::find(installed->begin(), installed->end(), canonical_name(name))
           != installed->end();
  };
  return std::all_of(wanted->begin(), wanted->end(), is_there) ? 1.0 : 0.0;
}

/// How a line of a shortcut is compared: "Name=" without case.
struct shortcut_line {
  const char* rule;
  std::string start;
  bool any_case;
};

bool is_wanted_shortcut(const std::string& content, const std::string& wanted,
                        const shortcut_line& line) {
  const auto shaped = [&](std::string_view text) {
    return line.any_case ? py_lower(text) : std::string{text};
  };
  for (const auto one : split(content, '\n')) {
    if (!one.starts_with(line.start)) continue;
    const auto got = shaped(one.substr(line.start.size()));
    const auto asked = shaped(wanted);
    if (got.find(asked) != std::string::npos
        || asked.find(got) != std::string::npos)
      return true;
  }
  // A text with line ends, or not at the start of a line.
  return content.find(line.start + wanted + "\n") != std::string::npos;
}

metric_score is_shortcut_on_desktop(const metric_input& in) {
  if (in.result.is != graded_value::form::data || !in.result.data.is_object())
    return raises("there are no shortcuts");
  const auto type = rule_of(in, "type");
  if (!type) return type.error();
  if (*type != "name" && *type != "exec")
    return raises("there is no such type of rule");
  const auto line = *type == "name" ? shortcut_line{"name", "Name=", true}
                                    : shortcut_line{"exec", "Exec=", false};
  const auto wanted = rule_of(in, line.rule);
  if (!wanted) return wanted.error();
  if (!wanted->is_string()) return raises("a shortcut's rule must be a text");
  for (const auto& content : in.result.data) {
    if (!content.is_string()) return raises("a shortcut has no text");
    const auto& text = content.get_ref<const std::string&>();
    if (is_wanted_shortcut(text, wanted->get<std::string>(), line)) return 1.0;
  }
  return 0.0;
}

} // namespace

const metric_table& tab_metrics() {
  static const metric_table table{
      {"is_expected_url_pattern_match", is_expected_url_pattern_match},
      {"is_expected_active_tab_approximate",
       is_expected_active_tab_approximate},
      {"check_history_deleted", check_history_deleted},
      {"is_expected_installed_extensions", is_expected_installed_extensions},
      {"is_shortcut_on_desktop", is_shortcut_on_desktop}};
  return table;
}

} // namespace brewery::osworld

/// Metrics over values: output of commands, lists, objects.
#include "base/text.hpp"
#include "envs/osworld/grading/metrics/metric.hpp"
#include "envs/osworld/grading/python/py_json.hpp"
#include "envs/osworld/grading/python/py_text.hpp"
#include "envs/tau2/python_rules/python_text.hpp"

#include <algorithm>

namespace brewery::osworld {

namespace {

/// The result as a Python value. A path has no meaning here.
result<json> data_of(const graded_value& value) {
  if (value.is == graded_value::form::none) return json{};
  if (value.is != graded_value::form::data)
    return raises("the metric compares a value, not a file");
  return value.data;
}

metric_score as_score(const result<bool>& answer) {
  if (!answer) return answer.error();
  return *answer ? 1.0 : 0.0;
}

/// Whether all items of a list in the rules are, or are not, in the result.
result<bool> all_contained(const json& rules, const char* name,
                           const json& haystack, bool wanted) {
  const auto list = rules.find(name);
  if (list == rules.end()) return true;
  if (!list->is_array() && !list->is_string() && !list->is_object())
    return raises(std::string{name} + " must be a list");
  const auto items = tau2::py_elements(*list);
  if (!items) return items.error();
  for (const auto& item : *items) {
    const auto found = py_contains(haystack, item);
    if (!found) return found;
    if (*found != wanted) return false;
  }
  return true;
}

metric_score check_include_exclude(const metric_input& in) {
  const auto value = data_of(in.result);
  if (!value) return value.error();
  if (value->is_null()) return 0.0;
  const auto rules = rules_of(in);
  if (!rules) return rules.error();
  if (!rules->is_object()) return raises("the rules must be an object");
  const auto included = all_contained(*rules, "include", *value, true);
  if (!included || !*included) return as_score(included);
  return as_score(all_contained(*rules, "exclude", *value, false));
}

metric_score exact_match(const metric_input& in) {
  const auto expected = rule_of(in, "expected");
  if (!expected) return expected.error();
  const auto value = data_of(in.result);
  if (!value) return value.error();
  return tau2::py_equal(*value, *expected) ? 1.0 : 0.0;
}

metric_score match_in_list(const metric_input& in) {
  const auto expected = rule_of(in, "expected");
  if (!expected) return expected.error();
  const auto value = data_of(in.result);
  if (!value) return value.error();
  return as_score(py_contains(*expected, *value));
}

metric_score is_in_list(const metric_input& in) {
  const auto expected = rule_of(in, "expected");
  if (!expected) return expected.error();
  const auto value = data_of(in.result);
  if (!value) return value.error();
  return as_score(py_contains(*value, *expected));
}

/// str(value), in lower case on request.
std::string literal_text(const json& value, bool ignore_case) {
  auto text = tau2::py_str(value);
  return ignore_case ? py_lower(text) : text;
}

metric_score literal_match(const metric_input& in) {
  const auto value = data_of(in.result);
  if (!value) return value.error();
  json expected;
  if (in.expected) {
    const auto given = data_of(*in.expected);
    if (!given) return given.error();
    expected = *given;
  }
  const bool ignore_case = is_on(in.options, "ignore_case", false);
  const auto type = in.options.value("type", json("str"));
  if (type == "str")
    return literal_text(*value, ignore_case)
                   == literal_text(expected, ignore_case)
               ? 1.0
               : 0.0;
  if (type != "list") return raises("literal_match compares str or list");
  if (!value->is_array() || !expected.is_array()
      || value->size() != expected.size())
    return 0.0;
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (literal_text((*value)[i], ignore_case)
        != literal_text(expected[i], ignore_case))
      return 0.0;
  return 1.0;
}

metric_score is_utc_0(const metric_input& in) {
  const auto value = data_of(in.result);
  if (!value) return value.error();
  if (!value->is_string()) return raises("timedatectl said nothing");
  const auto lines = split(value->get_ref<const std::string&>(), '\n');
  if (lines.size() < 4) return raises("timedatectl has no fourth line");
  return lines[3].ends_with("+0000)") ? 1.0 : 0.0;
}

/// len(a) == len(b) and set(a) == set(b), as both metrics have it.
result<bool> same_names(const json& some, const json& others) {
  if (!some.is_array() || !others.is_array()) return raises("no list of names");
  if (some.size() != others.size()) return false;
  for (const auto* list : {&some, &others})
    for (const auto& item : *list) {
      if (auto ok = tau2::py_hashable(item); !ok) return ok.error();
      const auto found = py_contains(list == &some ? others : some, item);
      if (!found || !*found) return found;
    }
  return true;
}

metric_score check_moved_jpgs(const metric_input& in) {
  const auto expected = rule_of(in, "expected");
  if (!expected) return expected.error();
  const auto value = data_of(in.result);
  if (!value) return value.error();
  if (!value->is_object() || !value->contains("children"))
    return raises("the directory has no list of children");
  auto names = json::array();
  for (const auto& child : (*value)["children"]) {
    if (!child.is_object() || !child.contains("name"))
      return raises("a child of the directory has no name");
    names.push_back(child["name"]);
  }
  return as_score(same_names(names, *expected));
}

metric_score is_extension_installed(const metric_input& in) {
  const auto type = rule_of(in, "type");
  if (!type) return type.error();
  if (*type != "contain" && *type != "not_contain")
    return raises("is_extension_installed knows contain and not_contain");
  const auto expected = rule_of(in, "expected");
  if (!expected) return expected.error();
  const auto value = data_of(in.result);
  if (!value) return value.error();
  const auto found = py_contains(*value, *expected);
  if (!found) return found.error();
  return *found == (*type == "contain") ? 1.0 : 0.0;
}

metric_score is_in_vm_clickboard(const metric_input& in) {
  // The task passes the configuration first.
  const auto output = in.expected ? data_of(*in.expected) : json{};
  if (!output) return output.error();
  const auto config = data_of(in.result);
  if (!config) return config.error();
  if (!config->is_object() || !config->contains("expected"))
    return raises("the rules have no expected");
  const auto& expected = (*config)["expected"];
  if (!expected.is_array()) return as_score(py_contains(*output, expected));
  return as_score(all_contained(*config, "expected", *output, true));
}

metric_score check_gnome_favorite_apps(const metric_input& in) {
  const auto expected = rule_of(in, "expected");
  if (!expected) return expected.error();
  const auto value = data_of(in.result);
  if (!value) return value.error();
  if (!value->is_string()) return raises("gsettings said nothing");
  // A list of texts in single quotes, which hold no quotes themselves.
  const auto apps =
      py_json_loads(replace_all(value->get<std::string>(), "'", "\""));
  if (!apps || !apps->is_array()) return raises("gsettings gave no list");
  return as_score(same_names(*apps, *expected));
}

metric_score check_text_enlarged(const metric_input& in) {
  const auto value = data_of(in.result);
  if (!value) return value.error();
  const auto more = matches_rule(*value, {{"method", "approx:0"}, {"ref", 0}});
  if (!value->is_string() || !more) return raises("gsettings gave no number");
  char* end = nullptr;
  const std::string text{trim(value->get_ref<const std::string&>())};
  const auto factor = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') return raises("gsettings gave no number");
  return factor > 1.0 ? 1.0 : 0.0;
}

} // namespace

const metric_table& value_metrics() {
  static const metric_table table{
      {"check_include_exclude", check_include_exclude},
      {"exact_match", exact_match},
      {"match_in_list", match_in_list},
      {"is_in_list", is_in_list},
      {"literal_match", literal_match},
      {"is_utc_0", is_utc_0},
      {"check_moved_jpgs", check_moved_jpgs},
      {"is_extension_installed", is_extension_installed},
      {"is_in_vm_clickboard", is_in_vm_clickboard},
      {"check_gnome_favorite_apps", check_gnome_favorite_apps},
      {"check_text_enlarged", check_text_enlarged}};
  return table;
}

} // namespace brewery::osworld

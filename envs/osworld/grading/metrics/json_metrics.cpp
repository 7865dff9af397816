/// Metrics over JSON: files of settings, and texts that hold an object.
#include "base/text.hpp"
#include "envs/osworld/grading/metrics/metric.hpp"
#include "envs/osworld/grading/python/py_json.hpp"
#include "envs/osworld/grading/python/py_text.hpp"
#include "envs/tau2/python_rules/python_text.hpp"

#include <algorithm>

namespace brewery::osworld {

namespace {

/// json.load(open(path)).
result<json> json_of(const graded_value& value) {
  const auto text = text_of(value);
  if (!text) return text.error();
  return py_json_loads(*text);
}

/// What value[key] gives: found, a KeyError or TypeError, or another exception.
enum class look_up : std::uint8_t { found, missing, raised };

look_up element_of(const json& value, const json& key, json& out) {
  if (value.is_object()) {
    if (!key.is_string() || !value.contains(key.get_ref<const std::string&>()))
      return look_up::missing;
    out = value[key.get_ref<const std::string&>()];
    return look_up::found;
  }
  const bool index = key.is_number_integer() || key.is_boolean();
  if (!(value.is_array() || value.is_string()) || !index)
    return look_up::missing; // a TypeError
  const auto items = tau2::py_elements(value);
  const auto size = static_cast<std::int64_t>(items->size());
  auto at = key.is_boolean() ? std::int64_t{key.get<bool>()}
                             : key.get<std::int64_t>();
  if (at < 0) at += size;
  if (at < 0 || at >= size) return look_up::raised; // an IndexError
  out = (*items)[static_cast<std::size_t>(at)];
  return look_up::found;
}

/// One rule of check_json. An error for an exception, which scores 0.
result<bool> json_rule_holds(const json& data, const json& rule, bool wanted) {
  if (!rule.is_object() || !rule.contains("key"))
    return raises("a rule needs a key");
  const auto keys = tau2::py_elements(rule["key"]);
  if (!keys) return keys.error();
  json value = data;
  for (const auto& key : *keys) {
    json next;
    const auto found = element_of(value, key, next);
    if (found == look_up::raised) return raises("the list is too short");
    if (found == look_up::missing) {
      if (wanted) return raises("the key is missing");
      value = nullptr;
      break;
    }
    value = std::move(next);
  }
  const auto matched = matches_rule(value, rule);
  if (!matched) return matched;
  return *matched == wanted;
}

metric_score check_json(const metric_input& in) {
  if (is_on(in.options, "is_yaml", false))
    return raises("YAML is not read natively");
  if (in.result.is == graded_value::form::none) return 0.0;
  const auto data = json_of(in.result);
  if (!data) return 0.0;
  const auto rules = rules_of(in);
  if (!rules) return rules.error();
  if (!rules->is_object()) return raises("the rules must be an object");
  bool met = true;
  for (const bool wanted : {true, false}) {
    const auto list = rules->find(wanted ? "expect" : "unexpect");
    if (list == rules->end()) continue;
    for (const auto& rule : *list) {
      if (!met) {
        // The official one still looks the key up, and a missing one scores 0,
        // as this rule that is not met does.
        return 0.0;
      }
      const auto holds = json_rule_holds(*data, rule, wanted);
      if (!holds && holds.error().code == ec::exhausted) return holds.error();
      if (!holds) return 0.0;
      met = *holds;
    }
  }
  return met ? 1.0 : 0.0;
}

/// A member of the result, or None; the result is an object.
json member_or_null(const json& of, const std::string& key) {
  const auto found = of.find(key);
  return found == of.end() ? json{} : *found;
}

/// expect_in_result of check_direct_json_object, for one key.
bool is_expected_in(const json& expected, const json& actual) {
  if (expected.is_array())
    return std::any_of(expected.begin(), expected.end(), [&](const json& one) {
      if (actual.is_array()) {
        const auto found = py_contains(actual, one);
        return found && *found;
      }
      return actual.is_string() && tau2::py_equal(one, actual);
    });
  if (!expected.is_string()) return false;
  const auto found = py_contains(actual, expected);
  return found && *found;
}

/// sorted(a) == sorted(b) for lists of texts or of numbers; the official one
/// also sorts the switch itself, which raises and scores 0 for every result.
/// Here the switch is left out of the comparison.
bool same_sorted(json expected, json actual) {
  if (!expected.is_array() || !actual.is_array()
      || expected.size() != actual.size())
    return false;
  for (auto& item : actual) {
    const auto twin =
        std::find_if(expected.begin(), expected.end(), [&](const json& one) {
          return tau2::py_equal(one, item);
        });
    if (twin == expected.end()) return false;
    expected.erase(twin);
  }
  return true;
}

metric_score check_direct_json_object(const metric_input& in) {
  json result =
      in.result.is == graded_value::form::data ? in.result.data : json{};
  if (in.result.is == graded_value::form::file
      || in.result.is == graded_value::form::files)
    return raises("the metric compares a value, not a file");
  if (result.is_string()) {
    const auto text = result.get<std::string>();
    auto loaded =
        py_json_loads(replace_all(std::string{py_strip(text)}, "'", "\""));
    if (!loaded) return loaded.error();
    result = std::move(*loaded);
  }
  if (result.is_null()) return 0.0;
  const auto rules = rules_of(in);
  if (!rules || !rules->is_object() || !rules->contains("expected")) return 0.0;
  const auto& expected = (*rules)["expected"];
  if (!expected.is_object()) return 0.0;
  const bool contained = is_on(*rules, "expect_in_result", false);
  const bool any_order = is_on(expected, "ignore_list_order", false);
  if (!result.is_object()) return expected.empty() ? 1.0 : 0.0;
  for (const auto& [key, value] : expected.items())
    if (value == "__EVALUATION_FAILED__") return 0.0;
  for (const auto& [key, value] : expected.items()) {
    const auto actual = member_or_null(result, key);
    bool met = false;
    if (contained)
      met = is_expected_in(value, actual);
    else if (any_order)
      met = key == "ignore_list_order" || same_sorted(value, actual);
    else
      met = tau2::py_equal(value, actual);
    if (!met) return 0.0;
  }
  return 1.0;
}

metric_score check_json_settings(const metric_input& in) {
  if (is_missing(in.result)) return 0.0;
  const auto data = json_of(in.result);
  if (!data) return 0.0;
  const auto expected = rule_of(in, "expected");
  if (!expected) return expected.error();
  if (!expected->is_object()) return raises("expected must be an object");
  for (const auto& [key, value] : expected->items()) {
    const auto there = py_contains(*data, key);
    if (!there) return there.error();
    if (!*there) return 0.0;
    if (!data->is_object()) return raises("the file holds no object");
    if (!tau2::py_equal((*data)[key], value)) return 0.0;
  }
  return 1.0;
}

metric_score check_json_keybindings(const metric_input& in) {
  const auto text = text_of(in.result);
  if (!text) return 0.0;
  auto data = py_json_loads(*text);
  if (!data || !data->is_array()) {
    // VS Code begins the file with a comment.
    const auto line = text->find('\n');
    data = py_json_loads(line == std::string::npos
                             ? std::string_view{}
                             : std::string_view{*text}.substr(line + 1));
  }
  if (!data || !data->is_array()) return 0.0;
  const auto expected = rule_of(in, "expected");
  if (!expected) return expected.error();
  const auto found = py_contains(*data, *expected);
  return found && *found ? 1.0 : 0.0;
}

bool is_subset(const json& expected, const json& actual) {
  if (!expected.is_object()) return tau2::py_equal(expected, actual);
  if (!actual.is_object()) return false;
  return std::all_of(
      expected.items().begin(), expected.items().end(), [&](const auto& entry) {
        const auto found = actual.find(entry.key());
        return found != actual.end() && is_subset(entry.value(), *found);
      });
}

metric_score compare_config(const metric_input& in) {
  if (is_missing(in.result)) return 0.0;
  const auto rules = rules_of(in);
  if (!rules) return rules.error();
  if (!rules->is_object()) return raises("the rules must be an object");
  const auto given = rules->value("expected", json{});
  if (!is_true(given)) return 0.0;
  if (!given.is_string()) return raises("expected must be a text");
  const auto expected = given.get<std::string>();
  const auto actual = text_of(in.result);
  if (!actual) return actual.error();
  const auto actual_json = py_json_loads(*actual);
  const auto expected_json = py_json_loads(expected);
  const bool both = actual_json && expected_json;
  if (is_on(in.options, "containment_ok", true)) {
    if (both) return is_subset(*expected_json, *actual_json) ? 1.0 : 0.0;
    return actual->find(py_strip(expected)) != std::string::npos ? 1.0 : 0.0;
  }
  if (*actual == expected) return 1.0;
  return both && tau2::py_equal(*actual_json, *expected_json) ? 1.0 : 0.0;
}

} // namespace

const metric_table& json_metrics() {
  static const metric_table table{
      {"check_json", check_json},
      {"check_direct_json_object", check_direct_json_object},
      {"check_json_settings", check_json_settings},
      {"check_json_keybindings", check_json_keybindings},
      {"compare_config", compare_config}};
  return table;
}

} // namespace brewery::osworld

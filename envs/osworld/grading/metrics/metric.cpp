#include "envs/osworld/grading/metrics/metric.hpp"

#include "envs/osworld/grading/native_names.hpp"
#include "envs/osworld/grading/python/py_text.hpp"
#include "envs/tau2/python_rules/python_text.hpp"

#include <fmt/format.h>

namespace brewery::osworld {

metric_function native_metric(std::string_view name) {
  for (const auto* table :
       {&value_metrics(), &text_metrics(), &json_metrics(), &settings_metrics(),
        &vlc_metrics(), &vlc_state_metrics(), &thunderbird_metrics(),
        &tab_metrics(), &tree_metrics(), &office_metrics()})
    if (const auto found = table->find(name); found != table->end())
      return found->second;
  return nullptr;
}

result<json> rules_of(const metric_input& in) {
  if (!in.expected || in.expected->is != graded_value::form::data)
    return raises("the metric needs rules, and the task gives none");
  return in.expected->data;
}

result<json> rule_of(const metric_input& in, const char* name) {
  auto rules = rules_of(in);
  if (!rules) return rules;
  if (!rules->is_object() || !rules->contains(name))
    return raises(fmt::format("the rules have no {}", name));
  return (*rules)[name];
}

bool is_missing(const graded_value& value) {
  return value.is == graded_value::form::none
         || (value.is == graded_value::form::data && !is_true(value.data));
}

result<std::string> text_of(const graded_value& value) {
  if (value.is != graded_value::form::file || !value.files.front())
    return raises("there is no file to read");
  return py_read_text(*value.files.front());
}

bool is_true(const json& value) {
  if (value.is_null()) return false;
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number()) return value.get<double>() != 0;
  if (value.is_string()) return !value.get_ref<const std::string&>().empty();
  return !value.empty();
}

bool is_on(const json& options, const char* name, bool otherwise) {
  const auto found = options.is_object() ? options.find(name) : options.end();
  return found == options.end() ? otherwise : is_true(*found);
}

result<bool> py_contains(const json& haystack, const json& needle) {
  if (haystack.is_string()) {
    if (!needle.is_string())
      return raises("a text contains only texts, not "
                    + std::string{tau2::py_type_name(needle)});
    return haystack.get_ref<const std::string&>().find(
               needle.get_ref<const std::string&>())
           != std::string::npos;
  }
  if (haystack.is_object()) {
    if (auto ok = tau2::py_hashable(needle); !ok) return ok.error();
    return needle.is_string()
           && haystack.contains(needle.get_ref<const std::string&>());
  }
  if (!haystack.is_array())
    return raises(
        fmt::format("{} contains nothing", tau2::py_type_name(haystack)));
  for (const auto& item : haystack)
    if (tau2::py_equal(item, needle)) return true;
  return false;
}

} // namespace brewery::osworld

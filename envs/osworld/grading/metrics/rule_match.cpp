/// _match_value_to_rule of the official metrics/utils.py.
#include "base/text.hpp"
#include "envs/osworld/grading/metrics/metric.hpp"
#include "envs/osworld/grading/python/py_regex.hpp"
#include "envs/tau2/python_rules/python_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace brewery::osworld {

namespace {

bool is_py_number(const json& value) {
  return value.is_number() || value.is_boolean();
}

double py_number_of(const json& value) {
  return value.is_boolean() ? (value.get<bool>() ? 1.0 : 0.0)
                            : value.get<double>();
}

/// -1, 0 or 1; 2 for NaN, which is in no order. An error for a TypeError.
result<int> py_order(const json& left, const json& right) {
  if (is_py_number(left) && is_py_number(right)) {
    const auto a = py_number_of(left), b = py_number_of(right);
    if (std::isnan(a) || std::isnan(b)) return 2;
    return a < b ? -1 : a > b ? 1 : 0;
  }
  if (left.is_string() && right.is_string()) {
    // Code points order as the bytes of UTF-8 do.
    const auto order = left.get_ref<const std::string&>().compare(
        right.get_ref<const std::string&>());
    return order < 0 ? -1 : order > 0 ? 1 : 0;
  }
  if (left.is_array() && right.is_array()) {
    for (std::size_t i = 0; i < left.size() && i < right.size(); ++i)
      if (!tau2::py_equal(left[i], right[i]))
        return py_order(left[i], right[i]);
    return left.size() < right.size() ? -1 : left.size() > right.size() ? 1 : 0;
  }
  return raises(fmt::format("no order between {} and {}",
                            tau2::py_type_name(left),
                            tau2::py_type_name(right)));
}

result<bool> compares(std::string_view method, const json& left,
                      const json& right) {
  if (method == "eq") return tau2::py_equal(left, right);
  if (method == "ne") return !tau2::py_equal(left, right);
  const auto order = py_order(left, right);
  if (!order) return order.error();
  if (*order == 2) return false;
  if (method == "lt") return *order < 0;
  if (method == "le") return *order <= 0;
  if (method == "gt") return *order > 0;
  if (method == "ge") return *order >= 0;
  return raises(fmt::format("there is no comparison {}", method));
}

result<bool> matches_regex(std::string_view method, const json& value,
                           const json& pattern) {
  if (!value.is_string() || !pattern.is_string())
    return raises("a regular expression needs texts");
  regex_flags flags;
  auto names = split(method, '.');
  for (std::size_t i = 1; i < names.size(); ++i) {
    const auto name = names[i];
    if (name == "I" || name == "IGNORECASE")
      flags.ignore_case = true;
    else if (name == "M" || name == "MULTILINE")
      flags.multi_line = true;
    else if (name == "S" || name == "DOTALL")
      flags.dot_all = true;
    else if (name == "X" || name == "VERBOSE")
      flags.verbose = true;
    else if (name == "A" || name == "ASCII")
      flags.ascii = true;
    else if (name != "U" && name != "UNICODE")
      return raises(fmt::format("re has no flag {}", name));
  }
  const auto regex =
      py_regex::compile(pattern.get_ref<const std::string&>(), flags);
  if (!regex) return regex.error();
  return regex->search(value.get_ref<const std::string&>());
}

/// float(value): false if it raises.
bool py_float_of(const json& value, double& out) {
  if (is_py_number(value)) return out = py_number_of(value), true;
  if (!value.is_string()) return false;
  auto text = std::string{trim(value.get_ref<const std::string&>())};
  const bool plus = text.starts_with('+');
  if (plus) text.erase(0, 1);
  if (text.empty() || (plus && text[0] == '-')) return false;
  const auto* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, out);
  return read.ec == std::errc{} && read.ptr == end;
}

result<bool> is_near(std::string_view method, const json& value,
                     const json& reference) {
  const auto parts = split(method, ':');
  double threshold = 0;
  if (parts.size() < 2 || !py_float_of(std::string{parts[1]}, threshold)
      || !is_py_number(reference))
    return raises("approx needs a threshold and a number");
  double number = 0;
  if (!py_float_of(value, number)) return false;
  return std::abs(number - py_number_of(reference)) <= threshold;
}

result<bool> is_in_range(std::string_view method, const json& value,
                         const json& range) {
  if (method.size() < 8 || !range.is_array() || range.size() < 2)
    return raises("range needs two ends and how they count");
  const auto low = compares(std::string{"l"} + method[6], range[0], value);
  if (!low || !*low) return low;
  return compares(std::string{"l"} + method[7], value, range[1]);
}

/// str_list_eq and str_set_eq: a text of values between commas.
result<bool> equals_listed(bool as_set, const json& value,
                           const json& reference) {
  if (!value.is_string() || !reference.is_array())
    return raises("a text of values is compared with a list");
  std::string_view text = value.get_ref<const std::string&>();
  while (!text.empty() && (text.front() == '"' || text.front() == '\''))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == '"' || text.back() == '\''))
    text.remove_suffix(1);
  auto items = json::array();
  for (const auto part : split(text, ','))
    items.push_back(std::string{part});
  if (!as_set) return tau2::py_equal(items, reference);
  const auto all_in = [](const json& some, const json& in) {
    for (const auto& item : some)
      if (const auto found = py_contains(in, item); !found || !*found)
        return false;
    return true;
  };
  for (const auto& item : reference)
    if (auto ok = tau2::py_hashable(item); !ok) return ok.error();
  return all_in(items, reference) && all_in(reference, items);
}

} // namespace

result<bool> matches_rule(const json& value, const json& rule) {
  if (!rule.is_object() || !rule.contains("method")
      || !rule["method"].is_string() || !rule.contains("ref"))
    return raises("a rule needs a method and a ref");
  const auto& method = rule["method"].get_ref<const std::string&>();
  const auto& reference = rule["ref"];
  if (method.starts_with("re")) return matches_regex(method, value, reference);
  for (const auto* name : {"eq", "ne", "le", "lt", "ge", "gt"})
    if (method == name) return compares(method, value, reference);
  if (method.starts_with("approx")) return is_near(method, value, reference);
  if (method.starts_with("range."))
    return is_in_range(method, value, reference);
  if (method == "str_list_eq" || method == "str_set_eq")
    return equals_listed(method == "str_set_eq", value, reference);
  return raises("there is no method " + method);
}

} // namespace brewery::osworld

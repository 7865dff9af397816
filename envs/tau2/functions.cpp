#include "envs/tau2/functions.hpp"

#include "envs/tau2/python_rules/python_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::tau2 {

namespace {

/// 'a'; 'a' and 'b'; 'a', 'b', and 'c'.
std::string enumerate(const std::vector<std::string_view>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i != 0) out += names.size() > 2 ? ", " : " ";
    if (i != 0 && i + 1 == names.size()) out += "and ";
    out += py_quote(names[i]);
  }
  return out;
}

/// Far deeper than any tool needs, and far below where recursion over a value
/// would exhaust the stack.
constexpr int deepest_argument = 100;

bool deeper_than(const json& value, int levels) {
  if (!value.is_structured()) return false;
  return levels == 0
         || std::any_of(value.begin(), value.end(),
                        [levels](const json& inside) {
                          return deeper_than(inside, levels - 1);
                        });
}

} // namespace

error wrong_type(std::string_view name, std::string_view wanted,
                 const json& given) {
  return refused(
      fmt::format("{} must be {}, not {}", name, wanted, py_repr(given)));
}

result<call_arguments> bind_arguments(std::string_view class_name,
                                      const tool_spec& spec,
                                      const json& arguments) {
  const auto refuse = [&](std::string_view what) {
    return error{ec::invalid_argument,
                 fmt::format("{}.{}() {}", class_name, spec.name, what)};
  };
  BREWERY_ASSERT(spec.parameters.size() <= call_arguments::capacity);
  if (!arguments.is_object())
    return refuse(fmt::format("arguments must be an object, not '{}'",
                              py_type_name(arguments)));
  if (deeper_than(arguments, deepest_argument + 1))
    return refuse("arguments are nested too deeply");
  call_arguments bound;
  for (auto it = arguments.begin(); it != arguments.end(); ++it) {
    const auto at = std::find_if(
        spec.parameters.begin(), spec.parameters.end(),
        [&](const tool_parameter& p) { return p.name == it.key(); });
    if (at == spec.parameters.end()) {
      if (it.key() == "self")
        return refuse("got multiple values for argument 'self'");
      // Python puts the name between quotes as it is.
      return refuse(
          fmt::format("got an unexpected keyword argument '{}'", it.key()));
    }
    bound.set(static_cast<std::size_t>(at - spec.parameters.begin()), *it);
  }
  std::vector<std::string_view> missing;
  for (std::size_t i = 0; i < spec.parameters.size(); ++i)
    if (spec.parameters[i].required && !bound.given(i))
      missing.push_back(spec.parameters[i].name);
  if (missing.empty()) return bound;
  return refuse(fmt::format("missing {} required positional argument{}: {}",
                            missing.size(), missing.size() == 1 ? "" : "s",
                            enumerate(missing)));
}

} // namespace brewery::tau2

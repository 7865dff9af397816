#pragma once
/// The functions of a tool kit: tools for agents or users, and functions that
/// only task files may name (set-up and assertions). One table drives dispatch,
/// argument binding and the specifications for agents.

#include "envs/environment.hpp"

#include <array>
#include <unordered_map>
#include <utility>
#include <variant>

namespace brewery::tau2 {

/// Result text as the reference serialises it, or the verdict of an assertion.
using tool_value = std::variant<std::string, bool>;

/// Arguments in parameter order; missing ones have a default.
class call_arguments {
public:
  static constexpr std::size_t capacity = 12;

  void set(std::size_t i, const json& value) { values_[i] = &value; }
  [[nodiscard]] bool given(std::size_t i) const {
    return values_[i] != nullptr;
  }
  const json& operator[](std::size_t i) const {
    BREWERY_ASSERT(given(i));
    return *values_[i];
  }

private:
  std::array<const json*, capacity> values_{};
};

/// The error of a function that refuses a request.
inline error refused(std::string text) {
  return {ec::invalid_argument, std::move(text)};
}

/// "limit must be a number, not 'x'".
error wrong_type(std::string_view name, std::string_view wanted,
                 const json& given);

enum class function_kind : std::uint8_t {
  tool,      ///< callable by agent or user
  set_up,    ///< named by initialization_actions only
  assertion, ///< named by env_assertions only; returns a verdict
};

template <class State>
struct function_info {
  tool_spec spec;
  function_kind purpose = function_kind::tool;
  result<tool_value> (*run)(State&, const call_arguments&) = nullptr;
};

/// Binds a JSON object like Python's keyword arguments. Reports the first
/// unexpected one, then all missing ones, in Python's words, which contain the
/// reference's `class_name`. Refuses values that nest deeper than 100.
result<call_arguments> bind_arguments(std::string_view class_name,
                                      const tool_spec& spec,
                                      const json& arguments);

template <class State>
class function_table {
public:
  function_table(std::string class_name,
                 std::vector<function_info<State>> functions)
      : class_name_(std::move(class_name)), functions_(std::move(functions)) {
    for (const auto& f : functions_)
      by_name_.emplace(f.spec.name, &f);
  }
  function_table(const function_table&) = delete;
  function_table& operator=(const function_table&) = delete;

  [[nodiscard]] const function_info<State>* find(std::string_view name) const {
    const auto at = by_name_.find(name);
    return at == by_name_.end() ? nullptr : at->second;
  }

  [[nodiscard]] const function_info<State>*
  find_tool(std::string_view name) const {
    const auto* found = find(name);
    return found != nullptr && found->purpose == function_kind::tool ? found
                                                                     : nullptr;
  }

  [[nodiscard]] const std::vector<function_info<State>>& functions() const {
    return functions_;
  }

  [[nodiscard]] result<call_arguments> bind(const function_info<State>& f,
                                            const json& arguments) const {
    return bind_arguments(class_name_, f.spec, arguments);
  }

  result<tool_value> call(const function_info<State>& f, State& state,
                          const json& arguments) const {
    const auto bound = bind(f, arguments);
    if (!bound) return bound.error();
    return f.run(state, *bound);
  }

private:
  std::string class_name_;
  std::vector<function_info<State>> functions_;
  std::unordered_map<std::string_view, const function_info<State>*> by_name_;
};

} // namespace brewery::tau2

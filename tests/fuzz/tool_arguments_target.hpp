#pragma once
/// What is done with a course of tool calls when they are fuzzed: each line is
/// "TOOL ARGUMENTS" on one small shop, one after the other; a line that names
/// no tool is an expression to calculate. See targets.hpp for how targets are
/// used.

#include "base/text.hpp"
#include "envs/tau2/python_rules/calculate.hpp"
#include "tests/envs/tau2/retail/small_shop.hpp"

#include <cstdlib>
#include <string>
#include <string_view>

namespace brewery::fuzz {

namespace detail {

inline const tau2::domain& small_shop_domain() {
  static const auto loaded =
      tau2::parse_retail({"db.json", test::small_shop_text});
  BREWERY_ASSERT(loaded.has_value());
  return **loaded;
}

inline const tool_spec* find_shop_tool(std::string_view name) {
  for (const auto& tool : small_shop_domain().tools("assistant"))
    if (tool.name == name) return &tool;
  return nullptr;
}

inline std::string expression(std::string_view text) {
  const auto value = tau2::calculate(json(std::string{text}));
  if (!value)
    return value.error().message.empty() ? "a refusal without a word" : "";
  char* end = nullptr;
  (void)std::strtod(value->c_str(), &end);
  return *end == '\0' ? "" : "not a number: " + *value;
}

inline std::string shop_call(tau2::domain_state& shop, const tool_spec& tool,
                             std::string_view text) {
  const auto arguments = json::parse(text, nullptr, false);
  if (arguments.is_discarded()) return {};
  const auto before = shop.clone();
  const auto value = shop.use_tool("assistant", tool.name, arguments);
  if (!value && value.error().message.empty())
    return tool.name + " refuses without a word";
  if (value && !std::holds_alternative<std::string>(*value))
    return tool.name + " gives no text";
  const bool same = shop.same(*before);
  if (!same && tool.kind != tool_kind::write)
    return tool.name + " changes the shop by looking";
  if (same != (shop.agent_hash() == before->agent_hash()))
    return "equal shops have different hashes, or different ones the same";
  return {};
}

} // namespace detail

inline std::string tool_arguments(std::string_view bytes) {
  const auto shop = detail::small_shop_domain().initial();
  std::size_t calls = 0;
  for (const std::string_view line : split(bytes, '\n')) {
    const auto space = std::min(line.find(' '), line.size());
    const auto* tool = detail::find_shop_tool(line.substr(0, space));
    if (tool != nullptr && ++calls > 16) break;
    auto wrong = tool == nullptr
                     ? detail::expression(line)
                     : detail::shop_call(*shop, *tool, line.substr(space));
    if (!wrong.empty()) return wrong;
  }
  return {};
}

} // namespace brewery::fuzz

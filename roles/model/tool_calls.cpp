#include "roles/model/tool_calls.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "roles/model/reply_text.hpp"

#include <fmt/format.h>

#include <set>

namespace brewery {

namespace {

json parameter_schema(const tool_parameter& parameter) {
  json out{{"type", parameter.type}};
  if (!parameter.description.empty())
    out["description"] = parameter.description;
  if (!parameter.choices.empty()) out["enum"] = parameter.choices;
  // Servers refuse an array without the type of its items.
  if (parameter.type == "array") out["items"] = json::object();
  return out;
}

} // namespace

chat_tool tool_for_model(const tool_spec& tool) {
  json schema{{"type", "object"},
              {"properties", json::object()},
              {"required", json::array()}};
  for (const auto& parameter : tool.parameters) {
    schema["properties"][parameter.name] = parameter_schema(parameter);
    if (parameter.required) schema["required"].push_back(parameter.name);
  }
  return {tool.name, tool.description,
          schema.dump(-1, ' ', false, json::error_handler_t::replace)};
}

std::vector<chat_tool> tools_for_model(const std::vector<tool_spec>& tools) {
  std::vector<chat_tool> out;
  for (const auto& tool : tools)
    out.push_back(tool_for_model(tool));
  return out;
}

std::string tools_text(const std::vector<tool_spec>& tools) {
  std::string out;
  for (const auto& tool : tools)
    out +=
        fmt::format("- {}: {}\n", tool.name, collapse_spaces(tool.description));
  return out;
}

std::vector<read_call> read_calls(const std::vector<chat_tool_call>& calls,
                                  std::size_t first_id) {
  std::vector<read_call> out;
  std::set<std::string> ids;
  for (const auto& asked : calls) {
    read_call item;
    item.call.name = asked.name;
    item.call.id = asked.id;
    if (asked.id.empty() || !ids.insert(asked.id).second)
      item.call.id = fmt::format("call_{}", first_id + out.size());
    item.raw = asked.arguments;
    auto arguments = read_arguments(asked.arguments);
    if (arguments)
      item.call.arguments = std::move(*arguments);
    else
      item.problem = arguments.error();
    out.push_back(std::move(item));
  }
  return out;
}

chat_message said_by_model(std::string words,
                           const std::vector<read_call>& calls) {
  chat_message out{chat_role::assistant, std::move(words), {}, {}, {}};
  for (const auto& item : calls)
    out.tool_calls.push_back(
        {item.call.id, item.call.name, item.call.arguments.dump()});
  return out;
}

} // namespace brewery

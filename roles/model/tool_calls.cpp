#include "roles/model/tool_calls.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "roles/model/reply_text.hpp"

#include <fmt/format.h>

#include <set>

namespace brewery {

namespace {

/// Name, type and description of parameters.
using told_parameters = std::set<std::vector<std::string>>;

/// Tools repeat their parameters (whose line, which app), and all of them are
/// sent with each turn. So a description is sent once, with the first tool.
json parameter_schema(const tool_parameter& parameter, told_parameters& told) {
  json out{{"type", parameter.type}};
  if (!parameter.description.empty()
      && told.insert({parameter.name, parameter.type, parameter.description})
             .second)
    out["description"] = parameter.description;
  if (!parameter.choices.empty()) out["enum"] = parameter.choices;
  // Servers refuse an array without `items`, and models write ids as numbers
  // where nothing says that they are strings.
  if (parameter.type == "array") {
    out["items"] = json::object();
    if (!parameter.items.empty()) out["items"]["type"] = parameter.items;
  }
  return out;
}

chat_tool tool_for_model(const tool_spec& tool, told_parameters& told) {
  json schema{{"type", "object"}, {"properties", json::object()}};
  for (const auto& parameter : tool.parameters) {
    schema["properties"][parameter.name] = parameter_schema(parameter, told);
    if (parameter.required) schema["required"].push_back(parameter.name);
  }
  return {tool.name, tool.description,
          schema.dump(-1, ' ', false, json::error_handler_t::replace)};
}

} // namespace

std::vector<chat_tool> tools_for_model(const std::vector<tool_spec>& tools) {
  std::vector<chat_tool> out;
  told_parameters told;
  for (const auto& tool : tools)
    out.push_back(tool_for_model(tool, told));
  return out;
}

std::string tools_text(const std::vector<tool_spec>& tools) {
  std::string out;
  for (const auto& tool : tools) {
    std::vector<std::string> parameters;
    for (const auto& parameter : tool.parameters)
      parameters.push_back(parameter.name + (parameter.required ? "" : "?"));
    out += fmt::format("- {}({}): {}\n", tool.name, join(parameters, ", "),
                       collapse_spaces(tool.description));
  }
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

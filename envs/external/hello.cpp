/// Reads a child's description of itself and its tasks; declared in
/// external_protocol.hpp.

#include "base/printable.hpp"
#include "envs/external/external_protocol.hpp"
#include "messages/json.hpp"
#include "messages/json_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace brewery::external {

namespace {

constexpr std::size_t text_bytes_max = std::size_t{1} << 20;
constexpr std::size_t tasks_max = 100'000;
constexpr std::size_t tools_max = 1'000;
constexpr std::uint32_t sessions_max = 1'024;

constexpr std::array<std::string_view, 6> value_types{
    "string", "number", "integer", "boolean", "array", "object"};

/// Names are used in prompts, fingerprints and on terminals.
bool is_plain(const std::string& name) {
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return c > ' ' && c <= '~'; });
}

std::string take_name(json_reader& field, const char* key) {
  auto out = field.text(key, name_bytes_max);
  if (!is_plain(out))
    field.refuse(key, "must be of printable ASCII characters without spaces, "
                      "found "
                          + json_quoted(out));
  return out;
}

/// The type under `key`, if the child gives one.
std::string take_type(json_reader& field, const char* key,
                      const std::string& usual) {
  auto out = field.text_or(key, usual, name_bytes_max);
  if (out != usual
      && std::find(value_types.begin(), value_types.end(), out)
             == value_types.end())
    field.refuse(key, "must be string, number, integer, boolean, array or "
                      "object, found "
                          + json_quoted(out));
  return out;
}

tool_parameter read_parameter(const json& from, const std::string& place,
                              std::optional<error>& problem) {
  json_reader field{from, place, problem};
  tool_parameter out;
  out.name = take_name(field, "name");
  out.type = take_type(field, "type", "string");
  out.items = take_type(field, "items", "");
  if (!out.items.empty() && out.type != "array")
    field.refuse("items",
                 "is for arrays only, and type is " + json_quoted(out.type));
  out.description = field.text_or("description", "", text_bytes_max);
  out.required = field.flag_or("required", true);
  const auto* choices = field.list_or_null("choices");
  for (std::size_t i = 0; choices && i < choices->size() && !problem; ++i) {
    if ((*choices)[i].is_string())
      out.choices.push_back((*choices)[i].get<std::string>());
    else
      field.refuse(fmt::format("choices[{}]", i), "must be a string");
  }
  return out;
}

tool_kind read_kind(json_reader& field) {
  // A tool of unknown kind is assumed to change state.
  const auto word = field.text_or("kind", "write", name_bytes_max);
  if (word == "read") return tool_kind::read;
  if (word == "generic") return tool_kind::generic;
  if (word != "write")
    field.refuse("kind", "must be \"read\", \"write\" or \"generic\", found "
                             + json_quoted(word));
  return tool_kind::write;
}

tool_spec read_tool(const json& from, const std::string& place,
                    std::optional<error>& problem) {
  json_reader field{from, place, problem};
  tool_spec out;
  out.name = take_name(field, "name");
  out.kind = read_kind(field);
  out.requestor = field.text_or("requestor", "assistant", name_bytes_max);
  if (out.requestor != "assistant" && out.requestor != "user")
    field.refuse("requestor", "must be \"assistant\" or \"user\", found "
                                  + json_quoted(out.requestor));
  out.description = field.text_or("description", "", text_bytes_max);
  std::set<std::string> names;
  const auto* parameters = field.list_or_null("parameters");
  for (std::size_t i = 0; parameters && i < parameters->size() && !problem;
       ++i) {
    out.parameters.push_back(read_parameter(
        (*parameters)[i], field.place_of(fmt::format("parameters[{}]", i)),
        problem));
    if (!names.insert(out.parameters.back().name).second)
      field.refuse("parameters", "names "
                                     + json_quoted(out.parameters.back().name)
                                     + " twice");
  }
  return out;
}

std::optional<std::vector<tool_spec>>
read_tools(json_reader& field, std::optional<error>& problem) {
  const auto* tools = field.list_or_null("tools");
  if (!tools) return std::nullopt;
  if (tools->size() > tools_max)
    field.refuse("tools", fmt::format("has {} entries, at most {} are allowed",
                                      tools->size(), tools_max));
  std::vector<tool_spec> out;
  std::set<std::string> names;
  for (std::size_t i = 0; i < tools->size() && !problem; ++i) {
    const auto place = field.place_of(fmt::format("tools[{}]", i));
    out.push_back(read_tool((*tools)[i], place, problem));
    if (!names.insert(out.back().name).second)
      field.refuse("tools", "has " + json_quoted(out.back().name) + " twice");
  }
  return out;
}

/// Task id -> index.
using task_places = std::map<std::string, std::size_t>;

task_places read_tasks(json_reader& field, hello_reply& out,
                       std::optional<error>& problem) {
  task_places places;
  const auto* tasks = field.list("tasks");
  if (tasks && (tasks->empty() || tasks->size() > tasks_max))
    field.refuse("tasks", fmt::format("has {} entries, 1 to {} are allowed",
                                      tasks->size(), tasks_max));
  for (std::size_t i = 0; tasks && i < tasks->size() && !problem; ++i) {
    json_reader task{(*tasks)[i], fmt::format("tasks[{}]", i), problem};
    auto id = take_name(task, "id");
    auto instruction = task.text_or("instruction", "", text_bytes_max);
    if (!places.emplace(id, i).second)
      field.refuse("tasks", "has " + json_quoted(id) + " twice");
    out.tasks.push_back({task_id{std::move(id)}, std::move(instruction)});
  }
  return places;
}

void read_splits(json_reader& field, const task_places& places,
                 hello_reply& out, std::optional<error>& problem) {
  const auto* splits = field.object_or_null("splits");
  if (!splits) return field.refuse("splits", "is missing");
  for (const auto& [name, ids] : splits->items()) {
    const auto place =
        "splits." + json_quoted(single_line(name, name_bytes_max));
    if (name.empty() || name.size() > name_bytes_max || !is_plain(name))
      return field.refuse(place, "has no usable name");
    if (!ids.is_array()) return field.refuse(place, "must be a list");
    auto& split = out.splits[name];
    std::set<std::size_t> seen;
    for (const auto& id : ids) {
      const auto found =
          id.is_string() ? places.find(id.get<std::string>()) : places.end();
      if (found == places.end())
        return field.refuse(place, "names "
                                       + single_line(id.dump(), name_bytes_max)
                                       + ", which is no task");
      if (!seen.insert(found->second).second)
        return field.refuse(place,
                            "names " + json_quoted(found->first) + " twice");
      split.push_back(found->second);
    }
    if (problem) return;
  }
}

} // namespace

result<hello_reply> read_hello(const json& from) {
  std::optional<error> problem;
  json_reader field{from, "", problem};
  constexpr std::uint32_t version = protocol_version;
  const auto spoken = from.is_object() && from.contains("protocol")
                          ? field.whole_or("protocol", 0, 0, ~std::uint32_t{0})
                          : (field.refuse("protocol", "is missing"), 0U);
  if (!problem && spoken != version)
    return error{
        ec::version_mismatch,
        fmt::format("it speaks protocol {}, this release {}", spoken, version)};
  hello_reply out;
  out.name = take_name(field, "name");
  out.fingerprint = field.text("fingerprint", name_bytes_max);
  const auto places = read_tasks(field, out, problem);
  read_splits(field, places, out, problem);
  out.tools = read_tools(field, problem);
  if (const auto* able = field.object_or_null("capabilities")) {
    json_reader capability{*able, "capabilities", problem};
    out.conversation = capability.flag_or("conversation", false);
    out.sessions = capability.whole_or("sessions", 1, 1, sessions_max);
  }
  if (problem) return *problem;
  return out;
}

result<reset_reply> read_reset(const json& from) {
  std::optional<error> problem;
  json_reader field{from, "", problem};
  reset_reply out;
  out.tools = read_tools(field, problem);
  out.briefing = field.text_or("briefing", "", text_bytes_max);
  out.opening = field.text_or("opening", "", text_bytes_max);
  if (problem) return *problem;
  return out;
}

} // namespace brewery::external

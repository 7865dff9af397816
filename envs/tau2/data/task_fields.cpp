#include "envs/tau2/data/task_fields.hpp"

#include "messages/json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::tau2 {

task_place task_place::at(std::string_view name) const {
  return {file, task,
          field.empty() ? std::string{name}
                        : fmt::format("{}.{}", field, name)};
}

task_place task_place::at(std::size_t index) const {
  return {file, task, fmt::format("{}[{}]", field, index)};
}

error task_place::fail(std::string_view what) const {
  return {ec::malformed,
          fmt::format("{}: task {}: {} {}", file, json_quoted(task),
                      field.empty() ? "the task" : field, what)};
}

const json* value_of(const json& object, const char* name) {
  const auto at = object.find(name);
  return at == object.end() || at->is_null() ? nullptr : &*at;
}

result<void> read_text(const json& object, const char* name,
                       const task_place& where, std::string& out,
                       bool required) {
  const json* value = value_of(object, name);
  if (value == nullptr) {
    if (required) return where.at(name).fail("is missing");
    return {};
  }
  if (!value->is_string()) return where.at(name).fail("must be a string");
  out = value->get<std::string>();
  return {};
}

result<void> read_arguments(const json& object, const task_place& where,
                            json& out) {
  const json* value = value_of(object, "arguments");
  if (value == nullptr) return where.at("arguments").fail("is missing");
  if (!value->is_object())
    return where.at("arguments").fail("must be an object");
  out = *value;
  return {};
}

result<void> read_texts(const json& value, const task_place& where,
                        std::vector<std::string>& out) {
  if (!value.is_array()) return where.fail("must be a list of strings");
  for (const auto& item : value) {
    if (!item.is_string()) return where.fail("must be a list of strings");
    out.push_back(item.get<std::string>());
  }
  return {};
}

result<void> check_side(const std::string& side, const char* name,
                        const task_place& where) {
  if (side == "assistant" || side == "user") return {};
  return where.at(name).fail(fmt::format(
      "must be \"assistant\" or \"user\", not {}", json(side).dump()));
}

result<void> read_text(const json& object, const char* name,
                       const task_place& where,
                       std::optional<std::string>& out) {
  if (value_of(object, name) == nullptr) return {};
  return read_text(object, name, where, out.emplace());
}

error not_json(const text_file& file, const json::parse_error& broken) {
  const auto before = std::string_view{file.text}.substr(
      0, broken.byte == 0 ? 0 : broken.byte - 1);
  // The library's text begins with a number of its own and the place again:
  // "[...] parse error at line 4, column 2: syntax error ...".
  std::string_view cause = broken.what();
  if (const auto place = cause.find("column "); place != cause.npos)
    if (const auto end = cause.find(": ", place); end != cause.npos)
      cause.remove_prefix(end + 2);
  return {ec::malformed,
          fmt::format("{}:{}:{}: is not JSON: {}", file.name,
                      1 + std::ranges::count(before, '\n'),
                      before.size() - (before.rfind('\n') + 1) + 1, cause)};
}

result<json> parse_json(const text_file& file) {
  try {
    return json::parse(file.text);
  } catch (const json::parse_error& broken) {
    return not_json(file, broken);
  }
}

} // namespace brewery::tau2

#include "roles/muse/muse_replies.hpp"

#include "base/printable.hpp"
#include "llm/format/json_schema.hpp"
#include "messages/json.hpp"
#include "roles/model/reply_schemas.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::muse {

namespace {

using nlohmann::ordered_json;

constexpr std::size_t name_most = 80, line_most = 500, lines_most = 20;
constexpr std::size_t checks_most = 6, strategies_most = 10, tools_most = 20;
constexpr std::size_t procedures_most = 40;

ordered_json text(std::size_t most) {
  return {{"type", "string"}, {"minLength", 1}, {"maxLength", most}};
}

ordered_json list(ordered_json items, std::size_t most) {
  return {{"type", "array"}, {"items", std::move(items)}, {"maxItems", most}};
}

ordered_json procedure_members() {
  return {{"operation", text(name_most)},
          {"preconditions", list(text(line_most), lines_most)},
          {"steps", list(text(line_most), lines_most)},
          {"notes", list(text(line_most), lines_most)}};
}

/// The object of a reply, by the schema without its bounds: a server that was
/// sent none of them is not refused for a word too many.
result<ordered_json> object_of(std::string_view reply,
                               const std::string& schema) {
  const auto plain = plain_schema(schema);
  BREWERY_ASSERT(plain.has_value()); // Brewery wrote the schema
  const auto checker = json_schema::parse(*plain);
  BREWERY_ASSERT(checker.has_value());
  const auto found = extract_json(reply, *checker);
  if (!found)
    return error{ec::malformed, collapse_spaces(found.error().message)};
  return ordered_json::parse(*found);
}

std::string line_of(const ordered_json& from) {
  return collapse_spaces(from.get_ref<const std::string&>());
}

/// Lines that are not empty.
std::vector<std::string> lines_of(const ordered_json& from) {
  std::vector<std::string> out;
  for (const auto& one : from)
    if (auto line = line_of(one); !line.empty()) out.push_back(std::move(line));
  return out;
}

memory_operation procedure_of(const std::string& application,
                              const ordered_json& from) {
  return {.store = std::string{memory_stores::procedural},
          .name = application,
          .operation = line_of(from.at("operation")),
          .preconditions = lines_of(from.at("preconditions")),
          .texts = lines_of(from.at("steps")),
          .notes = lines_of(from.at("notes"))};
}

memory_operation note(std::string_view store, std::string name,
                      std::string about) {
  return {.store = std::string{store},
          .name = std::move(name),
          .operation = {},
          .preconditions = {},
          .texts = {std::move(about)},
          .notes = {}};
}

} // namespace

std::string plan_schema() {
  return object_schema({{"facts", list(text(line_most), lines_most)},
                        {"sub_tasks",
                         list(object_schema({{"description", text(line_most)},
                                             {"goal", text(line_most)}}),
                              plan_most)}})
      .dump();
}

result<std::vector<sub_task>> read_plan(std::string_view reply) {
  const auto read = object_of(reply, plan_schema());
  if (!read) return read.error();
  std::vector<sub_task> out;
  for (const auto& one : read->at("sub_tasks")) {
    sub_task item{line_of(one.at("description")), line_of(one.at("goal"))};
    if (item.description.empty() || item.goal.empty())
      return error{ec::malformed,
                   fmt::format("sub_tasks[{}] lacks a description or a goal",
                               out.size())};
    if (out.size() == plan_most)
      return error{ec::malformed,
                   fmt::format("there are more than {} sub_tasks", plan_most)};
    out.push_back(std::move(item));
  }
  return out;
}

std::string verdict_schema() {
  const ordered_json number{{"type", "integer"}};
  return object_schema(
             {{"checks",
               list(object_schema({{"question", text(line_most)},
                                   {"steps", list(number, lines_most)},
                                   {"looked", {{"type", "boolean"}}},
                                   {"holds", {{"type", "boolean"}}}}),
                    checks_most)},
              {"report", text(line_most)},
              {"done", {{"type", "boolean"}}}})
      .dump();
}

result<model_verdict> read_verdict(std::string_view reply, std::size_t steps) {
  const auto read = object_of(reply, verdict_schema());
  if (!read) return read.error();
  model_verdict out{read->at("done").get<bool>(), line_of(read->at("report"))};
  std::size_t at = 0;
  bool all = true;
  for (const auto& check : read->at("checks")) {
    for (const auto& step : check.at("steps")) {
      const auto number = step.get<double>();
      if (number < 0 || number >= static_cast<double>(steps))
        return error{
            ec::malformed,
            fmt::format("checks[{}] cites step {}; there are {} steps, "
                        "from 0",
                        at, step.dump().substr(0, 20), steps)};
    }
    if (check.at("steps").empty() && !check.at("looked").get<bool>())
      return error{ec::malformed,
                   fmt::format("checks[{}] cites no step, and rests on no look "
                               "of yours",
                               at)};
    all = all && check.at("holds").get<bool>();
    ++at;
  }
  if (at == 0) all = false;
  out.met = out.met && all;
  return out;
}

std::string procedure_schema() {
  auto members = procedure_members();
  ordered_json all{{"worth_keeping", {{"type", "boolean"}}},
                   {"application", text(name_most)}};
  all.update(members);
  return object_schema(all).dump();
}

result<std::optional<memory_operation>> read_procedure(std::string_view reply) {
  const auto read = object_of(reply, procedure_schema());
  if (!read) return read.error();
  if (!read->at("worth_keeping").get<bool>())
    return std::optional<memory_operation>{};
  return std::optional{procedure_of(line_of(read->at("application")), *read)};
}

std::string lessons_schema() {
  return object_schema(
             {{"summary", text(line_most)},
              {"strategies",
               list(object_schema({{"dilemma", text(name_most)},
                                   {"strategy", text(line_most)}}),
                    strategies_most)},
              {"tools", list(object_schema({{"tool", text(name_most)},
                                            {"instruction", text(line_most)}}),
                             tools_most)}})
      .dump();
}

result<std::vector<memory_operation>>
read_lessons(std::string_view reply, const std::vector<std::string>& tools) {
  const auto read = object_of(reply, lessons_schema());
  if (!read) return read.error();
  std::vector<memory_operation> out;
  for (const auto& one : read->at("strategies"))
    out.push_back(note(memory_stores::strategic, line_of(one.at("dilemma")),
                       line_of(one.at("strategy"))));
  for (const auto& one : read->at("tools")) {
    auto tool = line_of(one.at("tool"));
    if (std::ranges::find(tools, tool) == tools.end())
      return error{ec::malformed,
                   fmt::format("there is no tool {}", json_quoted(tool))};
    out.push_back(note(memory_stores::tool, std::move(tool),
                       line_of(one.at("instruction"))));
  }
  return out;
}

std::string procedures_schema() {
  return object_schema({{"procedures", list(object_schema(procedure_members()),
                                            procedures_most)}})
      .dump();
}

result<std::vector<memory_operation>>
read_procedures(std::string_view reply, const std::string& application) {
  const auto read = object_of(reply, procedures_schema());
  if (!read) return read.error();
  std::vector<memory_operation> out;
  for (const auto& one : read->at("procedures"))
    out.push_back(procedure_of(application, one));
  return out;
}

} // namespace brewery::muse

#include "roles/model/reply_schemas.hpp"

#include <algorithm>

namespace brewery {

namespace {

using nlohmann::ordered_json;

/// Steps that one insight names. More is no evidence but a list of all.
constexpr std::size_t named_steps_most = 12;

ordered_json text_schema(std::size_t most) {
  return {{"type", "string"}, {"minLength", 1}, {"maxLength", most}};
}

/// Tenths as an enum: llama.cpp bounds integers, but no other numbers.
ordered_json score_schema() {
  auto tenths = ordered_json::array({0});
  for (int i = 1; i < 10; ++i)
    tenths.push_back(i / 10.0);
  tenths.push_back(1);
  return {{"type", "number"}, {"enum", std::move(tenths)}};
}

ordered_json steps_schema(std::size_t steps) {
  ordered_json number{{"type", "integer"}};
  for (std::size_t i = 0; i < steps; ++i)
    number["enum"].push_back(i);
  return {{"type", "array"},
          {"items", std::move(number)},
          {"minItems", std::min<std::size_t>(steps, 1)},
          {"maxItems", std::min(steps, named_steps_most)}};
}

} // namespace

ordered_json object_schema(const ordered_json& members) {
  ordered_json out{{"type", "object"},
                   {"properties", members},
                   {"required", ordered_json::array()},
                   {"additionalProperties", false}};
  for (const auto& [name, schema] : members.items())
    out["required"].push_back(name);
  return out;
}

ordered_json ratings_part(const std::vector<std::string>& rubrics) {
  const auto rating =
      object_schema({{"reason", text_schema(text_limits::reason)},
                     {"score", score_schema()}});
  auto members = ordered_json::object();
  for (const auto& rubric : rubrics)
    members[rubric] = rating;
  return object_schema(members);
}

ordered_json insights_part(std::size_t steps, std::size_t most) {
  return {
      {"type", "array"},
      {"items", object_schema({{"concept", text_schema(text_limits::topic)},
                               {"insight", text_schema(text_limits::insight)},
                               {"steps", steps_schema(steps)}})},
      {"minItems", 0}, // none is a fair answer
      {"maxItems", most}};
}

ordered_json verdicts_part(std::size_t count) {
  const auto verdict =
      object_schema({{"reason", text_schema(text_limits::reason)},
                     {"holds", {{"type", "boolean"}}}});
  auto members = ordered_json::object();
  for (std::size_t i = 1; i <= count; ++i)
    members[std::to_string(i)] = verdict;
  return object_schema(members);
}

} // namespace brewery

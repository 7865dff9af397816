#include "roles/memory/experience_reply.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "roles/memory/reply_lines.hpp"
#include "roles/model/reply_schemas.hpp"
#include "roles/model/reply_text.hpp"

#include <algorithm>

namespace brewery {

using nlohmann::ordered_json;

ordered_json line_schema(std::size_t least) {
  return {{"type", "string"},
          {"minLength", least},
          {"maxLength", reply_line_bytes_max}};
}

ordered_json lines_schema(std::size_t least) {
  return {{"type", "array"},
          {"items", line_schema()},
          {"minItems", least},
          {"maxItems", reply_lines_max}};
}

ordered_json experience_members() {
  const auto failure =
      object_schema({{"sign", line_schema()}, {"recovery", line_schema(0)}});
  return {{"title", line_schema()},
          {"problem", lines_schema(1)},
          {"goal", lines_schema()},
          {"steps", lines_schema(1)},
          {"failures",
           {{"type", "array"},
            {"items", failure},
            {"minItems", 0},
            {"maxItems", reply_lines_max}}},
          {"difficulty", {{"type", "integer"}}}};
}

std::vector<std::string> lines_of(const json& list) {
  return lines_in(list, reply_line_bytes_max, reply_lines_max);
}

experience experience_in(const json& reply) {
  constexpr std::int64_t difficulty_max = 20;
  experience item;
  item.title =
      shown(reply.at("title").get<std::string>(), reply_line_bytes_max);
  item.problem = lines_of(reply.at("problem"));
  item.goal = lines_of(reply.at("goal"));
  item.steps = lines_of(reply.at("steps"));
  for (const auto& one : reply.at("failures"))
    item.failures.push_back(
        {collapse_spaces(one.at("sign").get<std::string>()),
         collapse_spaces(one.at("recovery").get<std::string>())});
  item.difficulty = static_cast<std::uint32_t>(std::clamp<std::int64_t>(
      reply.at("difficulty").get<std::int64_t>(), 0, difficulty_max));
  return item;
}

} // namespace brewery

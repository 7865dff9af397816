#include "roles/model/replies.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "llm/format/json_schema.hpp"
#include "roles/model/reply_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace brewery {

namespace {

constexpr std::size_t max_concept_bytes = 100;
constexpr std::size_t max_sentence_bytes = 2000;

const json text_schema{{"type", "string"}};

/// Uses only keywords that every server supports. Ranges are checked here.
json object_schema(const json& properties) {
  json out{{"type", "object"},
           {"properties", properties},
           {"required", json::array()},
           {"additionalProperties", false}};
  for (const auto& [name, schema] : properties.items())
    out["required"].push_back(name);
  return out;
}

std::string list_schema(const char* name, const json& properties) {
  const json list{{"type", "array"}, {"items", object_schema(properties)}};
  return object_schema(json{{name, list}}).dump();
}

error wrong(std::string what) {
  return {ec::malformed, std::move(what)};
}

/// The list that is the only member of the reply.
result<json> list_of(std::string_view reply, const std::string& schema,
                     const char* member) {
  const auto checker = json_schema::parse(schema);
  BREWERY_ASSERT(checker.has_value()); // the schemas are constants of this file
  const auto text = extract_json(reply, *checker);
  if (!text) return wrong(collapse_spaces(text.error().message));
  return json::parse(*text).at(member);
}

/// A text of one line that is not empty.
result<std::string> line_of(const json& text, const std::string& where,
                            std::size_t most) {
  auto line = collapse_spaces(text.get_ref<const std::string&>());
  if (line.empty()) return wrong(where + " is empty");
  if (line.size() > most)
    return wrong(fmt::format("{} has {} bytes; at most {} are allowed", where,
                             line.size(), most));
  return line;
}

/// Sets the value of a place. Error: the place has a value already.
template <class T>
result<void> put(std::optional<T>& place, T value, const std::string& where) {
  if (place) return wrong(where + ": there already is one for this");
  place = std::move(value);
  return {};
}

} // namespace

std::string ratings_schema(const std::vector<std::string>& rubrics) {
  return list_schema("ratings",
                     {{"rubric", {{"type", "string"}, {"enum", rubrics}}},
                      {"score", {{"type", "number"}}},
                      {"reason", text_schema}});
}

result<std::vector<rubric_rating>>
read_ratings(std::string_view reply, const std::vector<std::string>& rubrics) {
  const auto list = list_of(reply, ratings_schema(rubrics), "ratings");
  if (!list) return list.error();
  std::vector<std::optional<rubric_rating>> found(rubrics.size());
  for (std::size_t i = 0; i < list->size(); ++i) {
    const auto& entry = (*list)[i];
    const auto where = fmt::format("reply.ratings[{}]", i);
    rubric_rating rating{entry.at("rubric"), entry.at("score"), {}};
    if (!(rating.score >= 0 && rating.score <= 1))
      return wrong(fmt::format("{}.score is {}; it must be from 0 to 1", where,
                               rating.score));
    auto reason =
        line_of(entry.at("reason"), where + ".reason", max_sentence_bytes);
    if (!reason) return reason.error();
    rating.reason = std::move(*reason);
    const auto at = std::find(rubrics.begin(), rubrics.end(), rating.rubric)
                    - rubrics.begin();
    auto ok =
        put(found[static_cast<std::size_t>(at)], std::move(rating), where);
    if (!ok) return ok.error();
  }
  std::vector<rubric_rating> out;
  for (std::size_t i = 0; i < rubrics.size(); ++i) {
    if (!found[i]) return wrong("\"" + rubrics[i] + "\" is not rated");
    out.push_back(std::move(*found[i]));
  }
  return out;
}

namespace {

const json insight_properties{
    {"concept", text_schema},
    {"insight", text_schema},
    {"steps", {{"type", "array"}, {"items", {{"type", "integer"}}}}}};

} // namespace

std::string insights_schema() {
  return list_schema("insights", insight_properties);
}

namespace {

/// A list whose entries follow the schema or, if there is none, any list.
result<json> insights_of(std::string_view reply) {
  static const auto strict = insights_schema();
  static const auto loose =
      object_schema({{"insights", {{"type", "array"}}}}).dump();
  auto list = list_of(reply, strict, "insights");
  if (list) return list;
  if (auto any = list_of(reply, loose, "insights")) return any;
  return list;
}

/// Checks the members and their types.
result<void> check_entry(const json& entry, const std::string& where) {
  static const auto checker =
      json_schema::parse(object_schema(insight_properties).dump());
  BREWERY_ASSERT(checker.has_value()); // the schema is a constant of this file
  const auto ok = checker->check(entry.dump());
  if (ok) return {};
  constexpr std::string_view root = "reply";
  std::string_view what = ok.error().message;
  if (what.starts_with(root)) what.remove_prefix(root.size());
  return wrong(where + std::string{what});
}

result<std::vector<std::uint32_t>>
read_steps(const json& list, const std::string& where, std::size_t steps) {
  std::set<std::uint32_t> out;
  for (const auto& step : list) {
    // Read as a double, which accepts large numbers and 3.0.
    const auto number = step.get<double>();
    if (number < 0 || number >= static_cast<double>(steps))
      return wrong(fmt::format(
          "{}.steps names step {}; {}", where, shown(step.dump(), 40),
          steps == 0 ? "the attempt has no steps"
                     : fmt::format("there are 0 to {}", steps - 1)));
    out.insert(static_cast<std::uint32_t>(number));
  }
  if (out.empty() && steps > 0)
    return wrong(where + ".steps is empty; name the steps it rests on");
  return std::vector<std::uint32_t>{out.begin(), out.end()};
}

result<insight> read_insight(const json& entry, const std::string& where,
                             const insight_limits& limits) {
  if (auto ok = check_entry(entry, where); !ok) return ok.error();
  auto topic =
      line_of(entry.at("concept"), where + ".concept", max_concept_bytes);
  if (!topic) return topic.error();
  auto sentence =
      line_of(entry.at("insight"), where + ".insight", max_sentence_bytes);
  if (!sentence) return sentence.error();
  auto steps = read_steps(entry.at("steps"), where, limits.steps);
  if (!steps) return steps.error();
  insight out;
  // Concepts may be spelled like titles; topics are in lower case.
  out.topic = lower(*topic);
  for (const auto& known : limits.concepts)
    if (lower(collapse_spaces(known)) == out.topic) out.topic = lower(known);
  out.sentence = std::move(*sentence);
  out.steps = std::move(*steps);
  out.id = identity(out);
  return out;
}

} // namespace

result<insight_list> read_insights(std::string_view reply,
                                   const insight_limits& limits) {
  const auto list = insights_of(reply);
  if (!list) return list.error();
  insight_list out;
  std::set<insight_id> seen;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const auto where = fmt::format("reply.insights[{}]", i);
    auto item = read_insight((*list)[i], where, limits);
    if (!item)
      out.dropped.push_back(item.error().message);
    else if (seen.contains(item->id))
      continue;
    else if (out.kept.size() == limits.most)
      out.dropped.push_back(fmt::format(
          "{} is one too many; at most {} are asked for", where, limits.most));
    else {
      seen.insert(item->id);
      out.kept.push_back(std::move(*item));
    }
  }
  if (out.kept.empty() && !out.dropped.empty())
    return wrong(out.dropped.front());
  return out;
}

std::string verdicts_schema() {
  return list_schema("verdicts", {{"number", {{"type", "integer"}}},
                                  {"reason", text_schema},
                                  {"holds", {{"type", "boolean"}}}});
}

result<std::vector<bool>> read_verdicts(std::string_view reply,
                                        std::size_t count) {
  static const auto schema = verdicts_schema();
  const auto list = list_of(reply, schema, "verdicts");
  if (!list) return list.error();
  std::vector<std::optional<bool>> found(count);
  for (std::size_t i = 0; i < list->size(); ++i) {
    const auto& entry = (*list)[i];
    const auto where = fmt::format("reply.verdicts[{}]", i);
    const auto number = entry.at("number").get<double>();
    if (number < 1 || number > static_cast<double>(count))
      return wrong(fmt::format("{}.number is {}; there are statements 1 to {}",
                               where, shown(entry.at("number").dump(), 40),
                               count));
    auto ok = put(found[static_cast<std::size_t>(number) - 1],
                  entry.at("holds").get<bool>(), where);
    if (!ok) return ok.error();
  }
  std::vector<bool> out;
  for (std::size_t i = 0; i < count; ++i) {
    if (!found[i])
      return wrong(fmt::format("statement {} is not judged", i + 1));
    out.push_back(*found[i]);
  }
  return out;
}

} // namespace brewery

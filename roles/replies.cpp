#include "roles/replies.hpp"

#include "base/text.hpp"
#include "kb/json_reader.hpp"
#include "roles/reply_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace brewery {

namespace {

constexpr std::size_t max_concept_bytes = 100;
constexpr std::size_t max_insight_bytes = 2000;
constexpr std::size_t max_reason_bytes = 2000;

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
  return object_schema(
             {{name,
               {{"type", "array"}, {"items", object_schema(properties)}}}})
      .dump();
}

const json text_schema{{"type", "string"}};

error wrong(std::string what) {
  return {ec::malformed, std::move(what)};
}

/// Calls `read` for each entry of the list; the first failure of the shape or
/// of `read` is the result's.
template <class F>
result<void> each_entry(std::string_view reply, const char* list, F&& read) {
  const auto object = json_object_of(reply);
  if (!object) return object.error();
  read_failure failure;
  std::optional<error> refused;
  std::size_t number = 0;
  json_reader{*object, "", failure}.each(list, [&](const json_reader& entry) {
    const auto where = fmt::format("{}[{}]", list, number++);
    if (refused || failure.message) return;
    if (auto ok = read(entry, where); !ok) refused = ok.error();
  });
  if (failure.message) return wrong(one_line(*failure.message));
  if (refused) return *refused;
  return {};
}

/// A text of one line, not empty.
result<std::string> line_of(const std::string& text, const std::string& where,
                            std::size_t most) {
  auto line = one_line(text);
  if (line.empty()) return wrong(where + " is empty");
  if (line.size() > most)
    return wrong(fmt::format("{} has {} bytes; at most {} are allowed", where,
                             line.size(), most));
  return line;
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
  std::vector<std::optional<rubric_rating>> found(rubrics.size());
  const auto read = [&](const json_reader& entry,
                        const std::string& where) -> result<void> {
    rubric_rating rating;
    entry.get("rubric", rating.rubric);
    entry.get("score", rating.score);
    entry.get("reason", rating.reason);
    const auto known = std::find(rubrics.begin(), rubrics.end(), rating.rubric);
    if (known == rubrics.end())
      return wrong(fmt::format("{}.rubric is \"{}\", which is no rubric", where,
                               shown(rating.rubric)));
    // Written so that NaN is refused too.
    if (!(rating.score >= 0 && rating.score <= 1))
      return wrong(fmt::format("{}.score is {}; it must be from 0 to 1", where,
                               rating.score));
    auto reason = line_of(rating.reason, where + ".reason", max_reason_bytes);
    if (!reason) return reason.error();
    rating.reason = std::move(*reason);
    auto& place = found[static_cast<std::size_t>(known - rubrics.begin())];
    if (place)
      return wrong(fmt::format("{}: \"{}\" is rated twice", where, *known));
    place = std::move(rating);
    return {};
  };
  if (auto ok = each_entry(reply, "ratings", read); !ok) return ok.error();
  std::vector<rubric_rating> out;
  for (std::size_t i = 0; i < rubrics.size(); ++i) {
    if (!found[i]) return wrong("\"" + rubrics[i] + "\" is not rated");
    out.push_back(std::move(*found[i]));
  }
  return out;
}

std::string insights_schema() {
  return list_schema(
      "insights",
      {{"concept", text_schema},
       {"insight", text_schema},
       {"steps", {{"type", "array"}, {"items", {{"type", "integer"}}}}}});
}

namespace {

result<std::vector<std::uint32_t>>
read_steps(const json& list, const std::string& where, std::size_t steps) {
  std::set<std::uint32_t> out;
  for (const auto& step : list) {
    if (!step.is_number_unsigned() || step.get<std::uint64_t>() >= steps)
      return wrong(fmt::format(
          "{}.steps names step {}; {}", where, shown(step.dump(), 40),
          steps == 0 ? "the attempt has no steps"
                     : fmt::format("there are 0 to {}", steps - 1)));
    out.insert(step.get<std::uint32_t>());
  }
  if (out.empty() && steps > 0)
    return wrong(where + ".steps is empty; name the steps it rests on");
  return std::vector<std::uint32_t>{out.begin(), out.end()};
}

} // namespace

result<std::vector<insight>> read_insights(std::string_view reply,
                                           const insight_limits& limits) {
  const auto object = json_object_of(reply);
  if (!object) return object.error();
  std::vector<insight> out;
  std::set<insight_id> seen;
  std::size_t number = 0;
  const auto read = [&](const json_reader& entry,
                        const std::string& where) -> result<void> {
    insight item;
    entry.get("concept", item.topic);
    entry.get("insight", item.sentence);
    const auto& raw = object->at("insights").at(number++);
    if (!raw.is_object() || !raw.contains("steps") || !raw["steps"].is_array())
      return wrong(where + ".steps must be a list of step numbers");
    // Titles are topics with a capital: back to one spelling.
    auto topic =
        line_of(lower(item.topic), where + ".concept", max_concept_bytes);
    if (!topic) return topic.error();
    auto sentence =
        line_of(item.sentence, where + ".insight", max_insight_bytes);
    if (!sentence) return sentence.error();
    auto steps = read_steps(raw["steps"], where, limits.steps);
    if (!steps) return steps.error();
    item.topic = std::move(*topic);
    for (const auto& known : limits.concepts)
      if (lower(one_line(known)) == item.topic) item.topic = lower(known);
    item.sentence = std::move(*sentence);
    item.steps = std::move(*steps);
    item.id = identity(item);
    if (seen.insert(item.id).second) out.push_back(std::move(item));
    return {};
  };
  if (auto ok = each_entry(reply, "insights", read); !ok) return ok.error();
  if (out.size() > limits.most)
    return wrong(fmt::format("{} insights; at most {} are asked for",
                             out.size(), limits.most));
  return out;
}

std::string verdicts_schema() {
  return list_schema("verdicts", {{"number", {{"type", "integer"}}},
                                  {"reason", text_schema},
                                  {"holds", {{"type", "boolean"}}}});
}

result<std::vector<bool>> read_verdicts(std::string_view reply,
                                        std::size_t count) {
  const auto object = json_object_of(reply);
  if (!object) return object.error();
  std::vector<std::optional<bool>> found(count);
  std::size_t index = 0;
  const auto read = [&](const json_reader& entry,
                        const std::string& where) -> result<void> {
    std::uint32_t number = 0;
    entry.get("number", number);
    const auto& raw = object->at("verdicts").at(index++);
    if (!raw.is_object() || !raw.contains("holds")
        || !raw["holds"].is_boolean())
      return wrong(where + ".holds must be true or false");
    if (number < 1 || number > count)
      return wrong(fmt::format("{}.number is {}; there are statements 1 to {}",
                               where, number, count));
    auto& place = found[number - 1];
    if (place)
      return wrong(
          fmt::format("{}: statement {} is judged twice", where, number));
    place = raw["holds"].get<bool>();
    return {};
  };
  if (auto ok = each_entry(reply, "verdicts", read); !ok) return ok.error();
  std::vector<bool> out;
  for (std::size_t i = 0; i < count; ++i) {
    if (!found[i])
      return wrong(fmt::format("statement {} is not judged", i + 1));
    out.push_back(*found[i]);
  }
  return out;
}

} // namespace brewery

#include "roles/model/replies.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "llm/format/json_schema.hpp"
#include "roles/model/reply_schemas.hpp"
#include "roles/model/reply_text.hpp"

#include <fmt/format.h>

#include <set>

namespace brewery {

namespace {

constexpr std::size_t max_concept_bytes = 100;
constexpr std::size_t max_sentence_bytes = 2000;

error wrong(std::string what) {
  return {ec::malformed, std::move(what)};
}

/// The text of a schema of an object with one member.
std::string schema_of(const char* name, nlohmann::ordered_json part) {
  auto members = nlohmann::ordered_json::object();
  members[name] = std::move(part);
  return object_schema(members).dump();
}

/// Checks replies without the bounds of the schema.
json_schema plain_checker(const std::string& schema) {
  const auto plain = plain_schema(schema);
  BREWERY_ASSERT(plain.has_value()); // Brewery wrote the schema
  auto checker = json_schema::parse(*plain);
  BREWERY_ASSERT(checker.has_value());
  return *std::move(checker);
}

/// The only member of the reply.
result<json> member_of(std::string_view reply, const json_schema& schema,
                       const char* name) {
  const auto text = extract_json(reply, schema);
  if (!text) return wrong(collapse_spaces(text.error().message));
  return json::parse(*text).at(name);
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

} // namespace

std::string ratings_schema(const std::vector<std::string>& rubrics) {
  return schema_of("ratings", ratings_part(rubrics));
}

result<std::vector<rubric_rating>>
read_ratings(std::string_view reply, const std::vector<std::string>& rubrics) {
  const auto ratings =
      member_of(reply, plain_checker(ratings_schema(rubrics)), "ratings");
  if (!ratings) return ratings.error();
  std::vector<rubric_rating> out;
  for (const auto& rubric : rubrics) {
    const auto& entry = ratings->at(rubric);
    const auto where = "reply.ratings." + shown(rubric, 60);
    rubric_rating rating{rubric, entry.at("score"), {}};
    if (!(rating.score >= 0 && rating.score <= 1))
      return wrong(fmt::format("{}.score is {}; it must be from 0 to 1", where,
                               rating.score));
    auto reason =
        line_of(entry.at("reason"), where + ".reason", max_sentence_bytes);
    if (!reason) return reason.error();
    rating.reason = std::move(*reason);
    out.push_back(std::move(rating));
  }
  return out;
}

std::string insights_schema(const insight_limits& limits) {
  return schema_of("insights", insights_part(limits.steps, limits.most));
}

namespace {

/// A list whose entries follow the schema or, if there is none, any list.
result<json> insights_of(std::string_view reply) {
  static const auto strict =
      plain_checker(schema_of("insights", insights_part(0, 0)));
  static const auto loose =
      plain_checker(schema_of("insights", {{"type", "array"}}));
  auto list = member_of(reply, strict, "insights");
  if (list) return list;
  if (auto any = member_of(reply, loose, "insights")) return any;
  return list;
}

/// Checks the members and their types.
result<void> check_entry(const json& entry, const std::string& where) {
  static const auto checker =
      plain_checker(insights_part(0, 0).at("items").dump());
  const auto ok = checker.check(entry.dump());
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

std::string review_schema(const std::vector<std::string>& rubrics,
                          const insight_limits& limits) {
  return object_schema({{"ratings", ratings_part(rubrics)},
                        {"insights", insights_part(limits.steps, limits.most)}})
      .dump();
}

result<std::string> part_of_reply(std::string_view reply,
                                  const std::string& member) {
  auto names = json::array();
  names.push_back(member);
  const auto having = json_schema::parse(
      json{{"type", "object"}, {"required", std::move(names)}}.dump());
  BREWERY_ASSERT(having.has_value());
  const auto text = extract_json(reply, *having);
  if (!text) return wrong(collapse_spaces(text.error().message));
  auto out = json::object();
  out[member] = json::parse(*text).at(member);
  return out.dump();
}

std::string verdicts_schema(std::size_t count) {
  return schema_of("verdicts", verdicts_part(count));
}

result<std::vector<bool>> read_verdicts(std::string_view reply,
                                        std::size_t count) {
  const auto verdicts =
      member_of(reply, plain_checker(verdicts_schema(count)), "verdicts");
  if (!verdicts) return verdicts.error();
  std::vector<bool> out;
  for (std::size_t i = 1; i <= count; ++i)
    out.push_back(verdicts->at(std::to_string(i)).at("holds").get<bool>());
  return out;
}

} // namespace brewery

#include "llm/format/json_schema.hpp"
#include "roles/model/replies.hpp"
#include "roles/model/reply_schemas.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

using nlohmann::ordered_json;

const std::vector<std::string> habits{"verifies what it did", "maxLength",
                                      "asks \"why\""};

/// Every schema that a role sends.
std::vector<std::string> every_schema() {
  return {ratings_schema(habits),
          insights_schema({7, 5, {}}),
          insights_schema({0, 1, {}}),
          insights_schema({400, 20, {}}),
          verdicts_schema(1),
          verdicts_schema(12),
          review_schema(habits, {7, 5, {}})};
}

/// Calls `check` with every schema in a schema, itself too.
template <class Check>
void walk(const ordered_json& schema, Check check) {
  check(schema);
  if (schema.contains("items")) walk(schema.at("items"), check);
  if (schema.contains("properties"))
    for (const auto& [name, inner] : schema.at("properties").items())
      walk(inner, check);
}

std::vector<std::string> keys_of(const ordered_json& object) {
  std::vector<std::string> out;
  for (const auto& [name, value] : object.items())
    out.push_back(name);
  return out;
}

} // namespace

TEST_CASE("no reply that a schema allows is without an end") {
  for (const auto& text : every_schema()) {
    INFO(text);
    walk(ordered_json::parse(text), [](const ordered_json& schema) {
      INFO(schema.dump());
      const auto type = schema.at("type").get<std::string>();
      const bool listed = schema.contains("enum");
      if (type == "string") {
        CHECK(schema.at("minLength") == 1);
        // llama.cpp refuses more repetitions.
        CHECK(schema.at("maxLength").get<int>() < 2000);
      } else if (type == "array") {
        CHECK(schema.at("minItems").get<int>()
              <= schema.at("maxItems").get<int>());
      } else if (type == "object") {
        CHECK(schema.at("additionalProperties") == false);
        CHECK(schema.at("required").get<std::vector<std::string>>()
              == keys_of(schema.at("properties")));
      } else if (type == "number" || type == "integer") {
        // Without a step there is no number that a list of 0 could hold.
        CHECK((listed || type == "integer"));
      } else {
        CHECK(type == "boolean");
      }
    });
  }
}

TEST_CASE("a list of steps names those that exist") {
  const auto steps = [](std::size_t count) {
    return insights_part(count, 5).at("items").at("properties").at("steps");
  };
  CHECK(steps(3).at("items").at("enum") == ordered_json::parse("[0,1,2]"));
  CHECK(steps(3).at("minItems") == 1);
  CHECK(steps(3).at("maxItems") == 3);
  CHECK(steps(50).at("maxItems") == 12);
  CHECK(steps(0).at("maxItems") == 0);
  CHECK_FALSE(steps(0).at("items").contains("enum"));
}

TEST_CASE("a reason is written before what it is the reason for") {
  for (const auto& rubric : habits)
    CHECK(keys_of(
              ratings_part(habits).at("properties").at(rubric).at("properties"))
          == std::vector<std::string>{"reason", "score"});
  CHECK(keys_of(verdicts_part(1).at("properties").at("1").at("properties"))
        == std::vector<std::string>{"reason", "holds"});
  CHECK(keys_of(ratings_part(habits).at("properties")) == habits);
}

TEST_CASE("a score is a tenth from 0 to 1") {
  const auto score = ratings_part({"looks"})
                         .at("properties")
                         .at("looks")
                         .at("properties")
                         .at("score");
  CHECK(score.dump()
        == R"({"type":"number","enum":[0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,)"
           R"(0.9,1]})");
}

TEST_CASE("a schema that is sent is one that can be checked") {
  for (const auto& text : every_schema()) {
    INFO(text);
    CHECK(json_schema::parse(text));
  }
  const auto by = json_schema::parse(verdicts_schema(1));
  REQUIRE(by);
  CHECK(by->check(R"({"verdicts": {"1": {"reason": "r", "holds": true}}})"));
  CHECK_FALSE(
      by->check(R"({"verdicts": {"1": {"reason": "", "holds": true}}})"));
}

TEST_CASE("a plain schema has no bounds and the same members") {
  for (const auto& text : every_schema()) {
    const auto plain = plain_schema(text);
    REQUIRE(plain);
    INFO(*plain);
    walk(ordered_json::parse(*plain), [](const ordered_json& schema) {
      for (const auto& name : keys_of(schema))
        CHECK((name == "type" || name == "properties" || name == "required"
               || name == "additionalProperties" || name == "items"));
    });
    CHECK(*plain_schema(*plain) == *plain);
  }
  CHECK(*plain_schema(R"({"type":"string","enum":["a","b"],"maxLength":3})")
        == R"({"type":"string","enum":["a","b"]})");
  CHECK(*plain_schema(R"({"properties":{"maxLength":{"maxLength":3}}})")
        == R"({"properties":{"maxLength":{}}})");
  CHECK_FALSE(plain_schema("[]"));
  CHECK_FALSE(plain_schema("{"));
}

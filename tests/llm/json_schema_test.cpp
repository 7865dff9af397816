#include "llm/format/json_schema.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

json_schema schema(const std::string& text) {
  auto parsed = json_schema::parse(text);
  if (!parsed) FAIL(parsed.error().message);
  return *std::move(parsed);
}

/// "" when it is valid, else what is wrong.
std::string check(const json_schema& by, const std::string& text) {
  const auto got = by.check(text);
  if (!got) CHECK(got.error().code == ec::malformed);
  return got ? "" : got.error().message;
}

const char* const insights = R"({"type":"object","title":"Insights",
  "properties":{
    "insights":{"type":"array","minItems":1,"maxItems":3,"items":{
      "type":"object",
      "properties":{
        "concept":{"type":"string","minLength":2,"maxLength":5},
        "steps":{"type":"array","items":{"type":"integer","minimum":0}},
        "kind":{"enum":["do","avoid"]},
        "weight":{"type":["number","null"],"maximum":1}},
      "required":["concept"],"additionalProperties":false}}},
  "required":["insights"]})";

} // namespace

TEST_CASE("what breaks a schema is named with its path") {
  const auto by = schema(insights);
  for (
      const auto& [text, expected] :
      std::vector<std::pair<std::string, std::string>>{
          {R"({"insights":[{"concept":"roam","steps":[0,2],"kind":"do","weight":null}]})",
           ""},
          {R"({"insights":[{"concept":"roam","steps":[3.0]}],"more":1})", ""},
          {"[]", "reply is a list of 0, expected object"},
          {"{}", "reply.insights is missing"},
          {R"({"insights":[]})", "reply.insights has 0 items, expected at "
                                 "least 1"},
          {R"({"insights":[{"concept":"aa"},{"concept":"aa"},{"concept":"aa"},{"concept":"aa"}]})",
           "reply.insights has 4 items, expected at most 3"},
          {R"({"insights":[{"concept":"aa"},{}]})",
           "reply.insights[1].concept is missing"},
          {R"({"insights":[{"concept":7}]})",
           "reply.insights[0].concept is a number, expected string"},
          {R"({"insights":[{"concept":"a"}]})",
           "reply.insights[0].concept has 1 characters, expected at least 2"},
          // Characters, not bytes.
          {"{\"insights\":[{\"concept\":\"\u00e4\u00f6\u00fc\u00df\u00e9\"}]}",
           ""},
          {R"({"insights":[{"concept":"abcdef"}]})",
           "reply.insights[0].concept has 6 characters, expected at most 5"},
          {R"({"insights":[{"concept":"aa","steps":[1,-1]}]})",
           "reply.insights[0].steps[1] is -1, expected at least 0"},
          {R"({"insights":[{"concept":"aa","steps":[1.5]}]})",
           "reply.insights[0].steps[0] is a number, expected integer"},
          {R"({"insights":[{"concept":"aa","kind":"maybe"}]})",
           "reply.insights[0].kind is \"maybe\", expected one of \"do\", "
           "\"avoid\""},
          {R"({"insights":[{"concept":"aa","weight":1.5}]})",
           "reply.insights[0].weight is 1.5, expected at most 1"},
          {R"({"insights":[{"concept":"aa","weight":"x"}]})",
           "reply.insights[0].weight is a string, expected number or null"},
          {R"({"insights":[{"concept":"aa","why":"x"}]})",
           "reply.insights[0].why is not a member that is asked for"},
      }) {
    INFO(text);
    CHECK(check(by, text) == expected);
  }
  CHECK(check(by, "{").find("reply is not JSON") == 0);
}

TEST_CASE("a schema that cannot be checked in full is refused") {
  for (const auto& [text, says] :
       std::vector<std::pair<std::string, std::string>>{
           {"{", "is not JSON"},
           {"[]", "schema is a list of 0"},
           {R"({"pattern":"^a"})", "schema.pattern is not a keyword"},
           {R"({"properties":{"a":{"oneOf":[]}}})",
            "schema.properties.a.oneOf is not a keyword"},
           {R"({"type":"text"})", "\"text\" is not a JSON type"},
           {R"({"type":[]})", "schema.type is empty"},
           {R"({"additionalProperties":{}})", "must be true or false"},
           {R"({"minItems":-1})", "must be an integer from 0"},
           {R"({"minimum":"1"})", "must be a number"},
           {R"({"required":"a"})", "must be a list of names"},
           {R"({"enum":[]})", "must be a list with at least one value"},
           {R"({"items":[]})", "schema.items is a list of 0"},
       }) {
    INFO(text);
    const auto got = json_schema::parse(text);
    REQUIRE_FALSE(got);
    INFO(got.error().message);
    CHECK(got.error().code == ec::invalid_argument);
    CHECK(got.error().message.find(says) != std::string::npos);
  }
}

// -- finding the JSON
// --------------------------------------------------------------

TEST_CASE("JSON is found in what surrounds it, as the model wrote it") {
  const auto by = schema(R"({"type":"object","properties":{"a":{"type":
      "integer"}},"required":["a"]})");
  for (const auto& [text, expected] :
       std::vector<std::pair<std::string, std::string>>{
           {"{\"a\": 1}", "{\"a\": 1}"},
           {"  \n{\"a\":1}\n", "{\"a\":1}"},
           {"```json\n{\"a\":1}\n```", "{\"a\":1}"},
           {"Sure!\n```\n{\"a\":1}\n```\nAnything else?", "{\"a\":1}"},
           {"Here it is: {\"a\":1}. Good luck!", "{\"a\":1}"},
           {"It looks like {\"b\":2}, no: {\"a\":1}", "{\"a\":1}"},
           {"```json\n{\"b\":2}\n```\nthen\n```json\n{\"a\":1}\n```",
            "{\"a\":1}"},
           {"<think>maybe {\"a\":7}?</think>{\"a\":1}", "{\"a\":1}"},
           {"a { brace, then {\"a\":1}", "{\"a\":1}"},
           {"{\"a\":1} {\"a\":2}", "{\"a\":1}"},
           {"quoted: {\"a\":1,\"b\":\"}```{\"}", "{\"a\":1,\"b\":\"}```{\"}"},
       }) {
    INFO(text);
    const auto got = extract_json(text, by);
    INFO((got ? "" : got.error().message));
    REQUIRE(got);
    CHECK(*got == expected);
  }
}

TEST_CASE("a list is found if a list is asked for") {
  const auto by = schema(R"({"type":"array","items":{"type":"integer"}})");
  CHECK(*extract_json("The answer [as asked] is [1, 2].", by) == "[1, 2]");
}

TEST_CASE("without valid JSON the error is that of the answer") {
  const auto by = schema(R"({"type":"object","required":["a"]})");
  const auto why = [&](const std::string& text) {
    const auto got = extract_json(text, by);
    return got ? "" : got.error().message;
  };
  CHECK(why("I cannot do that.").find("the reply holds no JSON") == 0);
  CHECK(why("").find("the reply holds no JSON") == 0);
  CHECK(why("{\"b\":1}") == "reply.a is missing");
  CHECK(why("so {\"b\":1} then") == "reply.a is missing");
  CHECK(why("{\"a\": 1,}").find("reply is not JSON") == 0);
}

TEST_CASE("a text of nothing but brackets takes no time") {
  const auto by = schema(R"({"type":"object"})");
  for (const auto* bracket : {"{", "[", "}", "]", "{\"", "```\n"}) {
    std::string text = "x";
    for (int i = 0; i < 100'000; ++i)
      text += bracket;
    CHECK_FALSE(extract_json(text, by));
  }
}

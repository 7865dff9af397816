#include "base/rng.hpp"
#include "roles/replies.hpp"
#include "roles/reply_text.hpp"
#include "roles/tool_calls.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

const std::vector<std::string> rubrics{"looks", "checks"};

const char* const good_ratings =
    R"({"ratings": [{"rubric": "checks", "score": 0.5, "reason": "at 3"},)"
    R"( {"rubric": "looks", "score": 1, "reason": "always"}]})";

const insight_limits limits{4, 2, {"Roaming abroad"}};

const char* const good_insights =
    R"({"insights": [{"concept": "ROAMING  abroad", "insight": "Turn it on.",)"
    R"( "steps": [2, 0, 2]}]})";

struct bad_reply {
  std::string reply;
  std::string words; ///< of the error
};

template <class Read>
void all_refused(const std::vector<bad_reply>& cases, Read read) {
  for (const auto& item : cases) {
    INFO(item.reply);
    const auto got = read(item.reply);
    REQUIRE_FALSE(got);
    CHECK(got.error().code == ec::malformed);
    INFO(got.error().message);
    CHECK(got.error().message.find(item.words) != std::string::npos);
    CHECK(got.error().message.find('\n') == std::string::npos);
  }
}

} // namespace

TEST_CASE("ratings come back in the order of the rubrics") {
  const auto got = read_ratings(good_ratings, rubrics);
  REQUIRE(got);
  REQUIRE(got->size() == 2);
  CHECK(got->at(0) == rubric_rating{"looks", 1, "always"});
  CHECK(got->at(1) == rubric_rating{"checks", 0.5, "at 3"});
}

TEST_CASE("ratings that are not whole are refused with the reason") {
  const auto two = [](const std::string& first, const std::string& second) {
    return R"({"ratings": [)" + first + ", " + second + "]}";
  };
  const std::string looks = R"({"rubric":"looks","score":1,"reason":"r"})";
  const std::string checks = R"({"rubric":"checks","score":1,"reason":"r"})";
  all_refused(
      {{"", "not valid JSON"},
       {"I rate it well.", "not valid JSON"},
       {R"({"ratings": [)", "not valid JSON"},
       {"[]", "expected a JSON object"},
       {"{}", "ratings is missing"},
       {R"({"ratings": 3})", "ratings is 3; it must be a list"},
       {R"({"ratings": [7]})", "ratings[0] must be an object"},
       {R"({"ratings": []})", "\"looks\" is not rated"},
       {R"({"ratings": [)" + looks + "]}", "\"checks\" is not rated"},
       {two(looks, looks), "\"looks\" is rated twice"},
       {two(looks, R"({"rubric":"charm","score":1,"reason":"r"})"),
        "ratings[1].rubric is \"charm\", which is no rubric"},
       {two(looks, R"({"rubric":"checks","score":1.5,"reason":"r"})"),
        "ratings[1].score is 1.5; it must be from 0 to 1"},
       {two(looks, R"({"rubric":"checks","score":-0.1,"reason":"r"})"),
        "it must be from 0 to 1"},
       {two(looks, R"({"rubric":"checks","score":"high","reason":"r"})"),
        "ratings[1].score is \"high\"; it must be a number"},
       {two(looks, R"({"rubric":"checks","reason":"r"})"),
        "ratings[1].score is missing"},
       {two(looks, R"({"rubric":"checks","score":1,"reason":" \n "})"),
        "ratings[1].reason is empty"},
       {two(looks, R"({"rubric":"checks","score":1})"),
        "ratings[1].reason is missing"},
       {R"({"ratings": [)" + looks
            + R"(, {"rubric":"checks","score":null,)"
              R"("reason":"r"}]})",
        "ratings[1].score is null"}},
      [](const auto& reply) { return read_ratings(reply, rubrics); });
  CHECK(read_ratings(two(looks, checks), rubrics));
}

TEST_CASE("insights name known concepts and steps that exist") {
  const auto got = read_insights(good_insights, limits);
  REQUIRE(got);
  REQUIRE(got->size() == 1);
  const auto& item = got->front();
  CHECK(item.topic == "roaming abroad");
  CHECK(item.sentence == "Turn it on.");
  CHECK(item.steps == std::vector<std::uint32_t>{0, 2});
  CHECK(item.id == identity(item));
  CHECK(item.fact == insight_fact{});
  const auto none = read_insights(R"({"insights": []})", limits);
  REQUIRE(none);
  CHECK(none->empty());
}

TEST_CASE("insights that rest on nothing are refused with the reason") {
  const auto one = [](const std::string& members) {
    return R"({"insights": [{)" + members + "}]}";
  };
  const std::string text = R"("concept": "c", "insight": "i")";
  all_refused(
      {{"{}", "insights is missing"},
       {one(text), "insights[0].steps must be a list"},
       {one(text + R"(, "steps": 1)"), "insights[0].steps must be a list"},
       {one(text + R"(, "steps": [])"), "insights[0].steps is empty"},
       {one(text + R"(, "steps": [4])"), "names step 4; there are 0 to 3"},
       {one(text + R"(, "steps": [-1])"), "names step -1"},
       {one(text + R"(, "steps": ["1"])"), "names step \"1\""},
       {one(text + R"(, "steps": [1.5])"), "names step 1.5"},
       {one(R"("concept": "", "insight": "i", "steps": [1])"),
        "insights[0].concept is empty"},
       {one(R"("concept": "c", "insight": "", "steps": [1])"),
        "insights[0].insight is empty"},
       {one(R"("concept": 1, "insight": "i", "steps": [1])"),
        "insights[0].concept is 1; it must be a string"},
       {one(R"("insight": "i", "steps": [1])"), "concept is missing"},
       {one(R"("concept": ")" + std::string(101, 'c')
            + R"(", "insight": "i", "steps": [1])"),
        "insights[0].concept has 101 bytes"},
       {R"({"insights": ["a"]})", "insights[0]"},
       {R"({"insights": [{"concept":"a","insight":"a","steps":[0]},)"
        R"({"concept":"b","insight":"b","steps":[0]},)"
        R"({"concept":"c","insight":"c","steps":[0]}]})",
        "3 insights; at most 2 are asked for"}},
      [](const auto& reply) { return read_insights(reply, limits); });
}

TEST_CASE("an attempt without steps can teach, but names none") {
  const insight_limits empty{0, 2, {}};
  const char* const with_none =
      R"({"insights": [{"concept": "c", "insight": "i", "steps": []}]})";
  const char* const with_one =
      R"({"insights": [{"concept": "c", "insight": "i", "steps": [0]}]})";
  CHECK(read_insights(with_none, empty));
  const auto refused = read_insights(with_one, empty);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("the attempt has no steps")
        != std::string::npos);
}

TEST_CASE("verdicts are one for each statement, in order") {
  const char* const good =
      R"({"verdicts": [{"number": 2, "reason": "r", "holds": false},)"
      R"( {"number": 1, "reason": "r", "holds": true}]})";
  const auto got = read_verdicts(good, 2);
  REQUIRE(got);
  CHECK(*got == std::vector<bool>{true, false});
  all_refused(
      {{R"({"verdicts": []})", "statement 1 is not judged"},
       {R"({"verdicts": [{"number": 1, "holds": true}]})", "statement 2"},
       {R"({"verdicts": [{"number": 3, "holds": true}]})", "number is 3"},
       {R"({"verdicts": [{"number": 0, "holds": true}]})", "number is 0"},
       {R"({"verdicts": [{"number": 1, "holds": "yes"}]})", "true or false"},
       {R"({"verdicts": [{"number": 1}]})", "true or false"},
       {R"({"verdicts": [{"number": 1, "holds": true},)"
        R"({"number": 1, "holds": true}]})",
        "judged twice"}},
      [](const auto& reply) { return read_verdicts(reply, 2); });
}

TEST_CASE("the object of a reply is found in fences and among words") {
  for (const std::string reply :
       {R"({"a": 1})", " \n{\"a\": 1}\n", "```json\n{\"a\": 1}\n```",
        "```\n{\"a\": 1}\n```", "Here it is: {\"a\": 1} I hope it helps.",
        "Sure.\n```json\n{\"a\": 1}\n```\n"}) {
    INFO(reply);
    const auto got = json_object_of(reply);
    REQUIRE(got);
    CHECK(got->at("a") == 1);
  }
}

TEST_CASE("deep nesting is refused before it is parsed") {
  const auto deep = R"({"a": )" + std::string(100'000, '[');
  CHECK_FALSE(json_object_of(deep));
  CHECK_FALSE(read_arguments(deep));
  const auto closed =
      R"({"a": )" + std::string(65, '[') + std::string(65, ']') + "}";
  const auto refused = read_arguments(closed);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("nests deeper") != std::string::npos);
}

TEST_CASE("arguments of a call are one JSON object, or nothing at all") {
  CHECK(*read_arguments("") == json::object());
  CHECK(*read_arguments(" \n") == json::object());
  CHECK(read_arguments(R"({"x": 1.0})")->at("x").is_number_float());
  for (const std::string text :
       {"[]", "3", "null", "\"a\"", "{", "{'a': 1}", "{\"a\": 1} {\"b\": 2}",
        "{\"a\": \"\xff\"}"}) {
    INFO(text);
    const auto got = read_arguments(text);
    REQUIRE_FALSE(got);
    CHECK(got.error().code == ec::malformed);
  }
}

TEST_CASE("calls keep their order and get ids of their own") {
  const auto calls =
      read_calls({{"a", "x", "{}"}, {"a", "y", "{"}, {"", "z", ""}}, 10);
  REQUIRE(calls.size() == 3);
  CHECK(calls[0].call.id == "a");
  CHECK(calls[1].call.id == "call_11");
  CHECK(calls[2].call.id == "call_12");
  CHECK_FALSE(calls[0].problem);
  CHECK(calls[1].problem);
  CHECK(calls[1].raw == "{");
  CHECK_FALSE(calls[2].problem);
  // What goes back to the server can be parsed there.
  const auto said = said_by_model("words", calls);
  for (const auto& call : said.tool_calls)
    CHECK(json::accept(call.arguments));
}

TEST_CASE("a tool is told with a schema of its arguments") {
  tool_spec tool{"assistant", "refuel", tool_kind::write, "Adds data.", {}};
  tool.parameters = {{"gb", "number", "How much.", {}, true},
                     {"speed", "string", "", {"slow", "fast"}, false},
                     {"lines", "array", "", {}, true}};
  const auto told = tool_for_model(tool);
  CHECK(told.name == "refuel");
  CHECK(json::parse(told.parameters)
        == json::parse(R"({"type": "object", "properties": {
             "gb": {"type": "number", "description": "How much."},
             "speed": {"type": "string", "enum": ["slow", "fast"]},
             "lines": {"type": "array", "items": {}}},
             "required": ["gb", "lines"]})"));
}

TEST_CASE("damaged replies are refused or whole, never half") {
  // Every damage of a valid reply: bytes changed, cut, doubled.
  const std::uint64_t seed = 20260101;
  rng draw{seed};
  for (int i = 0; i < 4000; ++i) {
    INFO("seed " << seed << ", round " << i);
    std::string reply = i % 2 == 0 ? good_ratings : good_insights;
    for (std::uint64_t n = draw.below(4) + 1; n > 0 && !reply.empty(); --n) {
      const auto at = draw.below(reply.size());
      switch (draw.below(3)) {
      case 0:
        reply[at] = static_cast<char>(draw.below(256));
        break;
      case 1:
        reply.erase(at, draw.below(8) + 1);
        break;
      default:
        reply.insert(at, reply.substr(draw.below(reply.size()), 5));
      }
    }
    if (const auto got = read_ratings(reply, rubrics)) {
      REQUIRE(got->size() == rubrics.size());
      for (std::size_t r = 0; r < rubrics.size(); ++r) {
        CHECK(got->at(r).rubric == rubrics[r]);
        CHECK(got->at(r).score >= 0);
        CHECK(got->at(r).score <= 1);
        CHECK_FALSE(got->at(r).reason.empty());
      }
    }
    if (const auto got = read_insights(reply, limits))
      for (const auto& item : *got) {
        CHECK_FALSE(item.topic.empty());
        CHECK_FALSE(item.sentence.empty());
        CHECK_FALSE(item.steps.empty());
        for (const auto step : item.steps)
          CHECK(step < limits.steps);
      }
  }
}

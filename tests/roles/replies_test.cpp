#include "base/rng.hpp"
#include "roles/model/replies.hpp"
#include "roles/model/reply_text.hpp"
#include "roles/model/tool_calls.hpp"
#include "tests/fixtures/text.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

const std::vector<std::string> rubrics{"looks", "checks"};

const char* const good_ratings =
    R"({"ratings": {"checks": {"reason": "at 3", "score": 0.5},)"
    R"( "looks": {"score": 1, "reason": "always"}}})";

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
  const auto with = [](const std::string& checks) {
    return R"({"ratings": {"looks": {"reason": "r", "score": 1})"
           + (checks.empty() ? "" : ", " + checks) + "}}";
  };
  const auto rated = [&](const std::string& members) {
    return with("\"checks\": {" + members + "}");
  };
  all_refused(
      {{"", "the reply holds no JSON"},
       {"I rate it well.", "the reply holds no JSON"},
       {R"({"ratings": {)", "no JSON"},
       {"[]", "reply is a list of 0, expected object"},
       {"{}", "reply.ratings is missing"},
       {R"({"ratings": 3})", "reply.ratings is a number, expected object"},
       {R"({"ratings": []})", "reply.ratings is a list of 0, expected object"},
       {R"({"ratings": {}})", "reply.ratings.looks is missing"},
       {with(""), "reply.ratings.checks is missing"},
       {with(R"("checks": 7)"),
        "reply.ratings.checks is a number, expected object"},
       {with(R"("looks": {"reason": "r", "score": 0})"),
        "reply has the member \"looks\" twice"},
       {with(R"("charm": {"reason": "r", "score": 1},)"
             R"( "checks": {"reason": "r", "score": 1})"),
        "reply.ratings.charm is not a member that is asked for"},
       {rated(R"("reason": "r", "score": 1.5)"),
        "reply.ratings.checks.score is 1.5; it must be from 0 to 1"},
       {rated(R"("reason": "r", "score": -0.1)"), "it must be from 0 to 1"},
       {rated(R"("reason": "r", "score": "high")"),
        "reply.ratings.checks.score is a string, expected number"},
       {rated(R"("reason": "r", "score": null)"),
        "reply.ratings.checks.score is null, expected number"},
       {rated(R"("reason": "r")"), "reply.ratings.checks.score is missing"},
       {rated(R"("reason": " \n ", "score": 1)"),
        "reply.ratings.checks.reason is empty"},
       {rated(R"("reason": ")" + std::string(2001, 'r') + R"(", "score": 1)"),
        "reply.ratings.checks.reason has 2001 bytes"},
       {rated(R"("score": 1)"), "reply.ratings.checks.reason is missing"}},
      [](const auto& reply) { return read_ratings(reply, rubrics); });
  CHECK(read_ratings(rated(R"("reason": "r", "score": 1)"), rubrics));
}

TEST_CASE("what is within reason but not within the schema is taken") {
  // A server that was sent no bounds cannot have kept them.
  const auto reason = std::string(1000, 'r');
  const auto rated = read_ratings(
      R"({"ratings": {"looks": {"reason": ")" + reason
          + R"(", "score": 0.125}, "checks": {"reason": "r", "score": 1}}})",
      rubrics);
  REQUIRE(rated);
  CHECK(rated->at(0) == rubric_rating{"looks", 0.125, reason});
  std::string steps = "0";
  for (int i = 1; i < 30; ++i)
    steps += ", " + std::to_string(i % 4);
  CHECK(read_insights(R"({"insights": [{"concept": "c", "insight": ")" + reason
                          + R"(", "steps": [)" + steps + "]}]}",
                      limits));
}

TEST_CASE("insights name known concepts and steps that exist") {
  const auto got = read_insights(good_insights, limits);
  REQUIRE(got);
  REQUIRE(got->kept.size() == 1);
  CHECK(got->dropped.empty());
  const auto& item = got->kept.front();
  CHECK(item.topic == "roaming abroad");
  CHECK(item.sentence == "Turn it on.");
  CHECK(item.steps == std::vector<std::uint32_t>{0, 2});
  CHECK(item.id == identity(item));
  CHECK(item.fact == insight_fact{});
  const auto none = read_insights(R"({"insights": []})", limits);
  REQUIRE(none);
  CHECK(none->kept.empty());
  CHECK(none->dropped.empty());
}

TEST_CASE("a bad insight is dropped with its reason and the good ones stay") {
  const std::string good = R"({"concept":"c","insight":"i","steps":[1]})";
  const std::vector<std::pair<std::string, std::string>> bad{
      {R"({"concept":"c","insight":"","steps":[1]})", "[1].insight is empty"},
      {R"({"concept":"c","insight":"j","steps":[9]})",
       "[1].steps names step 9"},
      {R"({"concept":"c","insight":")" + std::string(2001, 'i')
           + R"(","steps":[1]})",
       "[1].insight has 2001 bytes"},
      {R"({"concept":"c","insight":"j"})", "[1].steps is missing"},
      {R"({"concept":"c","insight":"j","steps":[1],"why":1})", "[1].why"},
      {R"("Look.")", "[1] is a string, expected object"},
      {"null", "[1] is null"}};
  for (const auto& [entry, why] : bad) {
    INFO(entry);
    const auto got =
        read_insights(R"({"insights": [)" + good + ", " + entry + "]}", limits);
    REQUIRE(got);
    REQUIRE(got->kept.size() == 1);
    CHECK(got->kept.front().sentence == "i");
    REQUIRE(got->dropped.size() == 1);
    CHECK(contains(got->dropped.front(), "reply.insights" + why));
  }
}

TEST_CASE("insights beyond the most are dropped, repeated ones are no more") {
  const auto list = [](const std::vector<std::string>& names) {
    std::string out;
    for (const auto& name : names)
      out += (out.empty() ? "" : ", ") + (R"({"concept":")" + name)
             + R"(","insight":"i","steps":[0]})";
    return R"({"insights": [)" + out + "]}";
  };
  const auto got = read_insights(list({"a", "a", "b", "c", "b", "d"}), limits);
  REQUIRE(got);
  REQUIRE(got->kept.size() == 2);
  CHECK(got->kept[0].topic == "a");
  CHECK(got->kept[1].topic == "b");
  REQUIRE(got->dropped.size() == 2);
  CHECK(got->dropped[0]
        == "reply.insights[3] is one too many; at most 2 are asked for");
}

TEST_CASE("insights that rest on nothing are refused with the reason") {
  const auto one = [](const std::string& members) {
    return R"({"insights": [{)" + members + "}]}";
  };
  const std::string text = R"("concept": "c", "insight": "i")";
  all_refused(
      {{"{}", "reply.insights is missing"},
       {one(text), "reply.insights[0].steps is missing"},
       {one(text + R"(, "steps": 1)"), "steps is a number, expected array"},
       {one(text + R"(, "steps": [])"), "insights[0].steps is empty"},
       {one(text + R"(, "steps": [4])"), "names step 4; there are 0 to 3"},
       {one(text + R"(, "steps": [-1])"), "names step -1"},
       {one(text + R"(, "steps": ["1"])"),
        "steps[0] is a string, expected integer"},
       {one(text + R"(, "steps": [1.5])"),
        "steps[0] is a number, expected integer"},
       {one(R"("concept": "", "insight": "i", "steps": [1])"),
        "insights[0].concept is empty"},
       {one(R"("concept": "c", "insight": "", "steps": [1])"),
        "insights[0].insight is empty"},
       {one(R"("concept": 1, "insight": "i", "steps": [1])"),
        "reply.insights[0].concept is a number, expected string"},
       {one(R"("insight": "i", "steps": [1])"), "concept is missing"},
       {one(R"("concept": ")" + std::string(101, 'c')
            + R"(", "insight": "i", "steps": [1])"),
        "insights[0].concept has 101 bytes"},
       {R"({"insights": ["a"]})", "insights[0]"},
       {R"({"insights": ["a", {"concept":"b","insight":"b","steps":[7]}]})",
        "insights[0] is a string"}},
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
  const char* const good = R"({"verdicts": {"2": {"reason": "r", "holds": )"
                           R"(false}, "1": {"reason": "r", "holds": true}}})";
  const auto got = read_verdicts(good, 2);
  REQUIRE(got);
  CHECK(*got == std::vector<bool>{true, false});
  const auto first = [](const std::string& members) {
    return R"({"verdicts": {"1": {)" + members
           + R"(}, "2": {"reason": "r", "holds": true}}})";
  };
  all_refused({{R"({"verdicts": {}})", "reply.verdicts.1 is missing"},
               {R"({"verdicts": {"1": {"reason": "r", "holds": true}}})",
                "reply.verdicts.2 is missing"},
               {R"({"verdicts": {"1": {"reason": "r", "holds": true},)"
                R"( "2": {"reason": "r", "holds": true},)"
                R"( "3": {"reason": "r", "holds": true}}})",
                "reply.verdicts.3 is not a member that is asked for"},
               {R"({"verdicts": {"1": {"reason": "r", "holds": true},)"
                R"( "1": {"reason": "r", "holds": true},)"
                R"( "2": {"reason": "r", "holds": true}}})",
                "reply has the member \"1\" twice"},
               {first(R"("reason": "r", "holds": "yes")"),
                "holds is a string, expected boolean"},
               {first(R"("reason": "r", "holds": null)"),
                "holds is null, expected boolean"},
               {first(R"("reason": "r")"), "holds is missing"}},
              [](const auto& reply) { return read_verdicts(reply, 2); });
}

TEST_CASE("a reply is found in fences, among words and after thoughts") {
  const std::string object{good_ratings};
  for (const std::string& reply :
       {object, " \n" + object + "\n", "```json\n" + object + "\n```",
        "Here it is: " + object + " I hope it helps.",
        "<think>{\"ratings\": {}}</think>\n" + object}) {
    INFO(reply);
    CHECK(read_ratings(reply, rubrics));
  }
}

TEST_CASE("thoughts before an answer are no part of it") {
  CHECK(without_thoughts("<think>hm</think>\n Yes.") == "Yes.");
  CHECK(without_thoughts(" \n<think>\nhm</think>Yes.") == "Yes.");
  CHECK(without_thoughts("<think>cut off").empty());
  CHECK(without_thoughts("I <think> so </think>") == "I <think> so </think>");
  CHECK(without_thoughts("") == "");
}

TEST_CASE("deep nesting is refused before it is parsed") {
  const auto deep = R"({"a": )" + std::string(100'000, '[');
  CHECK_FALSE(read_ratings(deep, rubrics));
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
                     {"lines", "array", "", {}, true},
                     {"ids", "array", "", {}, true, "string"}};
  const auto spec = tools_for_model({tool}).front();
  CHECK(spec.name == "refuel");
  CHECK(json::parse(spec.parameters)
        == json::parse(R"({"type": "object", "properties": {
             "gb": {"type": "number", "description": "How much."},
             "speed": {"type": "string", "enum": ["slow", "fast"]},
             "lines": {"type": "array", "items": {}},
             "ids": {"type": "array", "items": {"type": "string"}}},
             "required": ["gb", "lines", "ids"]})"));
}

TEST_CASE("equal parameters are described with the first tool only") {
  const tool_parameter line{"line", "string", "Whose line.", {}, true};
  const tool_parameter other{"line", "string", "A new line.", {}, false};
  const auto specs = tools_for_model({{"assistant", "a", {}, "", {line}},
                                      {"assistant", "b", {}, "", {line}},
                                      {"assistant", "c", {}, "", {other}},
                                      {"assistant", "d", {}, "", {}}});
  const auto described = [&](std::size_t n) {
    return json::parse(specs.at(n).parameters)["properties"]["line"].value(
        "description", "");
  };
  CHECK(described(0) == "Whose line.");
  CHECK(described(1).empty());
  CHECK(described(2) == "A new line.");
  CHECK_FALSE(json::parse(specs[2].parameters).contains("required"));
  CHECK(specs[3].parameters == R"({"type":"object","properties":{}})");
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
      for (const auto& item : got->kept) {
        CHECK_FALSE(item.topic.empty());
        CHECK_FALSE(item.sentence.empty());
        CHECK_FALSE(item.steps.empty());
        for (const auto step : item.steps)
          CHECK(step < limits.steps);
      }
  }
}

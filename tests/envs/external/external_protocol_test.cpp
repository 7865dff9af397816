#include "base/file.hpp"
#include "tests/fuzz/external_target.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace brewery;
using namespace brewery::external;

namespace {

const json good_hello = json::parse(R"({
  "protocol": 1, "name": "n", "fingerprint": "f",
  "tasks": [{"id": "a", "instruction": "Do it"}, {"id": "b"}],
  "splits": {"train": ["a"], "test": ["b"]},
  "tools": [{"name": "t", "parameters": [{"name": "p"}]}]})");

/// good_hello with one member replaced, at a JSON pointer, or taken away.
std::string refusal_with(const char* where, const char* what) {
  auto changed = good_hello;
  const json::json_pointer place{where};
  if (what)
    changed[place] = json::parse(what);
  else
    changed[place.parent_pointer()].erase(place.back());
  const auto got = read_hello(changed);
  INFO(where << " = " << (what ? what : "nothing"));
  REQUIRE_FALSE(got);
  CHECK(fuzz::check_line(got.error()) == "");
  return got.error().message;
}

std::string step_refusal(const char* text, std::size_t calls = 1) {
  const auto got = read_step(json::parse(text), calls);
  INFO(text);
  REQUIRE_FALSE(got);
  return got.error().message;
}

std::string reply_refusal(const std::string& line) {
  const auto got = read_reply(line, 7);
  INFO(line);
  REQUIRE_FALSE(got);
  CHECK(got.error().code == ec::malformed);
  CHECK(fuzz::check_line(got.error()) == "");
  return got.error().message;
}

/// The refusal of good_hello with a split of this name.
std::string refused_split(const std::string& name) {
  auto changed = good_hello;
  changed["splits"][name] = json::array();
  const auto got = read_hello(changed);
  REQUIRE_FALSE(got);
  CHECK(fuzz::check_line(got.error()) == "");
  return got.error().message;
}

bool holds(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a split without a usable name is refused in one short line") {
  for (const auto* control : {"\x7f", "\n", "\xc2\x9b"})
    CHECK(
        holds(refused_split(std::string{"s"} + control), "has no usable name"));
  CHECK(refused_split(std::string(100'000, 's')).size() < 1'000);
}

TEST_CASE("a hello is read with its defaults") {
  const auto got = read_hello(good_hello);
  REQUIRE(got);
  CHECK(got->sessions == 1);
  CHECK_FALSE(got->conversation);
  CHECK(got->tasks[1].instruction.empty());
  CHECK(got->splits.at("test") == std::vector<std::size_t>{1});
  const auto& tool = got->tools->at(0);
  CHECK(tool.kind == tool_kind::write);
  CHECK(tool.requestor == "assistant");
  CHECK(tool.parameters.at(0).type == "string");
  CHECK(tool.parameters.at(0).required);
  CHECK(tool.parameters.at(0).items.empty());
}

TEST_CASE("an array parameter has the type of its items") {
  auto with_items = good_hello;
  with_items["tools"][0]["parameters"][0] = {
      {"name", "ids"}, {"type", "array"}, {"items", "string"}};
  const auto got = read_hello(with_items);
  REQUIRE(got);
  CHECK(got->tools->at(0).parameters.at(0).items == "string");
}

TEST_CASE("fields that are not known are ignored, wherever they are") {
  auto richer = good_hello;
  richer["later"] = {{"a", json::array({1})}};
  richer["tasks"][0]["difficulty"] = 3;
  richer["tools"][0]["icon"] = "x";
  richer["capabilities"] = {{"snapshot", true}, {"wings", 2}};
  CHECK(read_hello(richer));
  CHECK(read_step(json::parse(R"({"results": [{"content": "", "cost": 1}],
                                  "thought": "x"})"),
                  1));
  CHECK(read_reply(R"({"id": 7, "result": {}, "took_ms": 3})", 7));
}

TEST_CASE("a hello with a fault is refused by the field's name") {
  const auto [where, what,
              says] = GENERATE(values<std::tuple<const char*, const char*,
                                                 const char*>>({
      {"/protocol", nullptr, "protocol is missing"},
      {"/protocol", "2", "it speaks protocol 2, this release 1"},
      {"/protocol", "\"1\"", "protocol must be a whole number"},
      {"/name", nullptr, "name is missing"},
      {"/name", "null", "name is missing"},
      {"/name", "\"\"", "name is empty"},
      {"/name", "\"a b\"", "name must be of printable ASCII"},
      {"/name", "3", "name must be a string, found 3"},
      {"/fingerprint", nullptr, "fingerprint is missing"},
      {"/tasks", nullptr, "tasks is missing"},
      {"/tasks", "[]", "tasks has 0 entries"},
      {"/tasks", "{}", "tasks must be a list, found {}"},
      {"/tasks/1/id", "\"a\"", "tasks has \"a\" twice"},
      {"/tasks/1/id", nullptr, "tasks[1].id is missing"},
      {"/tasks/1", "4", "tasks[1] must be an object, found 4"},
      {"/splits", nullptr, "splits is missing"},
      {"/splits/test", "[\"c\"]", "which is no task"},
      {"/splits/test", "[\"b\", \"b\"]", "names \"b\" twice"},
      {"/splits/test", "\"b\"", "splits.\"test\" must be a list"},
      {"/tools/0/name", nullptr, "tools[0].name is missing"},
      {"/tools/0/kind", "\"rw\"", "tools[0].kind must be \"read\""},
      {"/tools/0/requestor", "\"me\"", "tools[0].requestor must be"},
      {"/tools/0/parameters/0/type", "\"text\"",
       "tools[0].parameters[0].type must be string, number"},
      {"/tools/0/parameters/0/items", "\"id\"",
       "tools[0].parameters[0].items must be string, number"},
      {"/tools/0/parameters/0/items", "\"string\"",
       "tools[0].parameters[0].items is for arrays only, and type is "
       "\"string\""},
      {"/tools/0/parameters/0/required", "1",
       "tools[0].parameters[0].required must be true or false, found 1"},
      {"/tools/0/parameters/0/choices", "[1]",
       "tools[0].parameters[0].choices[0] must be a string"},
      {"/tools/1", "{\"name\": \"t\"}", "tools has \"t\" twice"},
      {"/capabilities", "[]", "capabilities must be an object"},
      {"/capabilities", "{\"sessions\": 0}",
       "capabilities.sessions must be a whole number from 1 to 1024, found 0"},
  }));
  const auto said = refusal_with(where, what);
  INFO(said);
  CHECK(holds(said, says));
}

TEST_CASE("a step's reply fits its calls") {
  CHECK(step_refusal("{}") == "results is missing");
  CHECK(step_refusal(R"({"results": []})")
        == "results has 0 entries for 1 calls");
  CHECK(step_refusal(R"({"results": [{}]})")
        == "results[0].content is missing");
  CHECK(step_refusal(R"({"results": [{"content": 4}]})")
        == "results[0].content must be a string, found 4");
  CHECK(step_refusal(R"({"results": [{"content": "", "failed": 0}]})")
        == "results[0].failed must be true or false, found 0");
  CHECK(step_refusal(R"({"over": "no"})", 0)
        == "over must be true or false, found \"no\"");
  CHECK(step_refusal(R"({"events": [{"requestor": "me"}]})", 0)
        == "events[0].requestor must be \"user\" or \"assistant\", found "
           "\"me\"");
  CHECK(read_step(json::object(), 0));
}

TEST_CASE("a grade is a number from 0 to 1") {
  const auto says = [](const char* text) {
    const auto got = read_grade(json::parse(text));
    REQUIRE_FALSE(got);
    return got.error().message;
  };
  CHECK(says("{}") == "reward is missing");
  CHECK(says(R"({"reward": 1.5})")
        == "reward must be a number from 0 to 1, found 1.5");
  CHECK(says(R"({"reward": true})")
        == "reward must be a number from 0 to 1, found true");
  CHECK(says(R"({"reward": 1, "parts": [{"met": true}]})")
        == "parts[0].name is missing");
  CHECK(says(R"({"reward": 1, "parts": [{"name": "x"}]})")
        == "parts[0].met is missing");
  CHECK(read_grade(json::parse(R"({"reward": 1})"))->reward == 1);
}

TEST_CASE("texts end at the limits of docs/environments.md") {
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  const auto hello = [](const char* where, std::size_t size) {
    auto changed = good_hello;
    changed[json::json_pointer{where}] = std::string(size, 'x');
    return static_cast<bool>(read_hello(changed));
  };
  for (const auto& [where, most] :
       std::initializer_list<std::pair<const char*, std::size_t>>{
           {"/name", 200},
           {"/fingerprint", 200},
           {"/tools/0/name", 200},
           {"/tools/0/parameters/0/name", 200},
           {"/tasks/0/instruction", mebibyte},
           {"/tools/0/description", mebibyte},
           {"/tools/0/parameters/0/description", mebibyte}}) {
    INFO(where);
    CHECK(hello(where, most));
    CHECK_FALSE(hello(where, most + 1));
  }
  for (const auto* name : {"briefing", "opening"}) {
    CHECK(read_reset({{name, std::string(mebibyte, 'x')}}));
    CHECK_FALSE(read_reset({{name, std::string(mebibyte + 1, 'x')}}));
  }
  const auto step = [](std::size_t size) {
    const json content{{"content", std::string(size, 'x')}};
    return static_cast<bool>(
        read_step({{"results", json::array({content})}}, 1));
  };
  CHECK(step(8 * mebibyte));
  CHECK_FALSE(step(8 * mebibyte + 1));
}

TEST_CASE("lists end at the limits of docs/environments.md") {
  const auto events = [](std::size_t count) {
    const json one{{"tool", ""}, {"observation", "x"}};
    return static_cast<bool>(
        read_step({{"events", std::vector<json>(count, one)}}, 0));
  };
  CHECK(events(10'000));
  CHECK_FALSE(events(10'001));
  const auto parts = [](std::size_t count, std::size_t bytes) {
    const json one{{"name", std::string(bytes, 'x')}, {"met", true}};
    return static_cast<bool>(
        read_grade({{"reward", 1}, {"parts", std::vector<json>(count, one)}}));
  };
  CHECK(parts(10'000, 1));
  CHECK_FALSE(parts(10'001, 1));
  CHECK(parts(1, 2000));
  CHECK_FALSE(parts(1, 2001));
  const auto tools = [](std::size_t count) {
    auto all = json::array();
    for (std::size_t i = 0; i < count; ++i)
      all.push_back({{"name", std::to_string(i)}});
    return static_cast<bool>(read_reset({{"tools", std::move(all)}}));
  };
  CHECK(tools(1'000));
  CHECK_FALSE(tools(1'001));
  const auto sessions = [](unsigned count) {
    auto changed = good_hello;
    changed["capabilities"] = {{"sessions", count}};
    return static_cast<bool>(read_hello(changed));
  };
  CHECK(sessions(1'024));
  CHECK_FALSE(sessions(1'025));
}

TEST_CASE("a line that is no reply is refused") {
  CHECK(holds(reply_refusal("hello"), "its output is not a reply"));
  CHECK(holds(reply_refusal(""), "its output is not a reply"));
  CHECK(holds(reply_refusal("[1]"), "its output is not a reply"));
  CHECK(holds(reply_refusal("{} {}"), "its reply is not JSON"));
  CHECK(holds(reply_refusal("{\"id\": 7, \"result\": \"\xff\"}"),
              "its reply is not JSON"));
  CHECK(reply_refusal("{}") == "a reply without id");
  CHECK(holds(reply_refusal(R"({"id": 6, "result": {}})"),
              "a reply to request 6, but 7 was asked"));
  CHECK(holds(reply_refusal(R"({"id": "7", "result": {}})"),
              "a reply to request \"7\""));
  CHECK(holds(reply_refusal(R"({"id": 7})"), "neither result nor error"));
  CHECK(holds(reply_refusal(R"({"id": 7, "error": {}})"), "error.message"));
  const auto deep = std::string(100'000, '[');
  CHECK(holds(reply_refusal("{\"id\": 7, \"result\": " + deep), "nested"));
}

TEST_CASE("a child's own error is one line, whatever it says") {
  const auto got =
      read_reply(R"({"id": 7, "error": {"message": "a\nb\u001b[2J"}})", 7);
  REQUIRE_FALSE(got);
  CHECK(got.error().code == ec::environment);
  CHECK(got.error().message == "it says: a b [2J");
  CHECK(read_reply(R"({"id": 7, "error": "short"})", 7).error().message
        == "it says: short");
}

TEST_CASE("requests are one line of JSON, whatever is in them") {
  turn move;
  move.text = "a\nb\xff";
  move.calls.push_back({"c", "t", json{{"x", "\n\xfe"}}});
  const auto line = step_request(3, 9, move);
  CHECK(line.find('\n') == std::string::npos);
  const auto back = json::parse(line);
  CHECK(back["id"] == 3);
  CHECK(back["session"] == 9);
  CHECK(back["op"] == "step");
  CHECK(back["text"] == "a\nb\xef\xbf\xbd");
  CHECK(back["calls"][0]["name"] == "t");
  CHECK(json::parse(hello_request(1))["protocol"] == 1);
  CHECK(json::parse(reset_request(1, 2, task_id{"x"}))["task"] == "x");
  CHECK(json::parse(grade_request(1, 2))["op"] == "grade");
  CHECK(json::parse(close_request(1, 2))["op"] == "close");
}

TEST_CASE("the fuzzers' inputs: replies of a child process") {
  const auto corpus =
      std::filesystem::path{BREWERY_SOURCE_DIR} / "tests/fuzz/corpus/external";
  std::size_t seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator{corpus}) {
    INFO(entry.path().string());
    const auto bytes = read_file(entry.path());
    REQUIRE(bytes);
    CHECK(fuzz::external(*bytes) == "");
    ++seen;
  }
  CHECK(seen >= 9);
}

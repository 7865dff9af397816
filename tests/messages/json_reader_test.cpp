#include "messages/json_reader.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

/// The problem of reading an object, "" for none.
template <class F>
std::string problem_of(const char* text, F&& read) {
  std::optional<error> problem;
  const auto value = json::parse(text);
  json_reader in{value, "", problem};
  read(in);
  return problem ? problem->message : "";
}

} // namespace

TEST_CASE("fields are taken as they are") {
  std::string name;
  double share = 0;
  std::uint32_t count = 0;
  CHECK(problem_of(R"({"name": "a", "share": 2, "count": 3})",
                   [&](json_reader& in) {
                     in.get("name", name);
                     in.get("share", share);
                     in.get("count", count);
                     CHECK(in.text_or("none", "b") == "b");
                     CHECK(in.flag_or("none", true));
                   })
        == "");
  CHECK(name == "a");
  CHECK(share == 2);
  CHECK(count == 3);
}

TEST_CASE("the first problem is told and nothing after it counts") {
  std::string name = "before";
  CHECK(problem_of(R"({"name": "a"})",
                   [&](json_reader& in) {
                     std::uint32_t count = 7;
                     in.get("count", count);
                     CHECK(count == 7);
                     in.get("name", name);
                   })
        == "count is missing");
  CHECK(name == "before");
}

TEST_CASE("null says what leaving a field out says") {
  std::string name;
  const auto read = [&](json_reader& in) { in.get("name", name); };
  CHECK(problem_of(R"({"name": null})", read) == "name is missing");
  CHECK(problem_of("{}", read) == "name is missing");
}

TEST_CASE("a value of a wrong type is shown, on one line and cut") {
  std::string name;
  const auto read = [&](json_reader& in) { in.get("name", name); };
  CHECK(problem_of(R"({"name": ["a"]})", read)
        == "name must be a string, found [\"a\"]");
  std::string list = "{\"name\": [1";
  for (int i = 0; i < 90; ++i)
    list += ",1";
  list += "]}";
  CHECK(problem_of(list.c_str(), read).ends_with("1,1..."));
}

TEST_CASE("a whole number must fit what it is read into") {
  std::uint8_t small = 0;
  const auto read = [&](json_reader& in) { in.get("n", small); };
  CHECK(problem_of(R"({"n": 255})", read) == "");
  CHECK(problem_of(R"({"n": 256})", read)
        == "n must be a whole number from 0 to 255, found 256");
  CHECK(problem_of(R"({"n": -1})", read)
        == "n must be a whole number from 0 to 255, found -1");
  CHECK(problem_of(R"({"n": 1.5})", read)
        == "n must be a whole number from 0 to 255, found 1.5");
}

TEST_CASE("an element is named by its place in its list") {
  const auto read = [](json_reader& in) {
    in.each("items", [](json_reader item) {
      item.each("parts", [](json_reader part) {
        std::string name;
        part.get("name", name);
      });
    });
  };
  CHECK(problem_of(R"({"items": [{"parts": [{"name": "a"}, {}]}]})", read)
        == "items[0].parts[1].name is missing");
  CHECK(problem_of(R"({"items": [3]})", read)
        == "items[0] must be an object, found 3");
  CHECK(problem_of("[]", read) == "it must be an object, found []");
}

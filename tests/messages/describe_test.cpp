#include "base/file.hpp"
#include "base/text.hpp"
#include "tests/messages/describe.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>

using namespace brewery;

namespace {

struct one_of_each {
  std::string name;
  bool open = false;
  std::uint16_t count = 0;
  std::int64_t shift = 0;
  double share = 0;
  ec code = ec::ok;
  concept_id about;
  std::vector<std::vector<double>> rows;
  std::optional<std::string> note;
  std::map<std::string, std::vector<grade_part>> parts;
  static constexpr bool optional_field(std::string_view field) {
    return field == "share";
  }
  BREWERY_FIELDS(one_of_each, name, open, count, shift, share, code, about,
                 rows, note, parts)
};

} // namespace

TEST_CASE("a table names each field, its type on the wire and what may lack") {
  CHECK(fields_markdown<one_of_each>() == R"(| field | type | may be lacking |
|---|---|---|
| `name` | text |  |
| `open` | boolean |  |
| `count` | unsigned, 16 bits |  |
| `shift` | signed, 64 bits |  |
| `share` | real | yes |
| `code` | unsigned, 0 to 20 (ec) |  |
| `about` | unsigned, 32 bits |  |
| `rows` | list of list of real |  |
| `note` | list of text |  |
| `parts` | map of text to list of [grade_part](#grade_part) |  |
)");
}

TEST_CASE("every link in the description leads to a table, each there once") {
  const auto text = messages_markdown();
  std::set<std::string> tables;
  for (const auto line : split(text, '\n')) {
    if (!line.starts_with("### ")) continue;
    const auto name = std::string{line.substr(4)};
    INFO(name);
    CHECK(tables.insert(name).second);
  }
  for (auto at = text.find("](#"); at != text.npos; at = text.find("](#", at)) {
    at += 3;
    const auto name = text.substr(at, text.find(')', at) - at);
    INFO(name);
    CHECK(tables.contains(name));
  }
  CHECK(tables.size() > std::variant_size_v<wire::message>);
}

TEST_CASE("docs/messages.md is up to date") {
  const auto file = std::string{BREWERY_SOURCE_DIR} + "/docs/messages.md";
  const auto text = messages_markdown();
  if (std::getenv("BREWERY_WRITE_DOCS"))
    REQUIRE(write_file_atomically(file, text));
  const auto found = read_file(file);
  INFO("to write it: BREWERY_WRITE_DOCS=1 test_messages \"*messages.md*\"");
  REQUIRE(found);
  CHECK(*found == text);
}

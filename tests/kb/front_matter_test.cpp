#include "kb/front_matter.hpp"
#include "tests/kb/support.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

TEST_CASE("keys and body are read") {
  const auto read = parse_front_matter(
      "---\nconcept: 3\ntitle: \"A: \\\"b\\\"\"\n---\n# Body\n\ntext", "f.md");
  REQUIRE(read);
  CHECK(read->find("concept") == "3");
  CHECK(read->find("title") == "A: \"b\"");
  CHECK_FALSE(read->find("other"));
  CHECK(read->items[1].line == 3);
  CHECK(read->body == "# Body\n\ntext");
}

TEST_CASE("a file without front matter is all body") {
  for (const char* text : {"# Title\n", "", "text\n---\nkey: value\n---\n"}) {
    const auto read = parse_front_matter(text, "f.md");
    REQUIRE(read);
    CHECK(read->items.empty());
    CHECK(read->body == text);
  }
}

TEST_CASE("the body is kept byte for byte") {
  for (const char* body :
       {"", "\n\n", "no end", "a\r\nb\r\n", "---\nx\n---\n"}) {
    const auto read =
        parse_front_matter(std::string{"---\na: 1\n---\n"} + body, "f.md");
    REQUIRE(read);
    CHECK(read->body == body);
  }
}

TEST_CASE("what people's YAML has besides scalars is skipped") {
  const auto read =
      parse_front_matter("---\r\n# comment\r\ntags:\r\n  - a\r\n- "
                         "b\r\n\r\nname: 'it''s'\r\n---\r\nx",
                         "f.md");
  REQUIRE(read);
  CHECK(read->find("tags") == "");
  CHECK(read->find("name") == "it's");
  CHECK(read->body == "x");
}

TEST_CASE("a byte order mark is no text") {
  const auto read = parse_front_matter("\xef\xbb\xbf---\na: 1\n---\nx", "f.md");
  REQUIRE(read);
  CHECK(read->find("a") == "1");
}

TEST_CASE("quotes count only at both ends") {
  for (const char* value : {"'", "\"", "'open", "open'", "\"open", "open\"",
                            "'mixed\"", "\"no \\q escape\""}) {
    INFO(value);
    const auto read = parse_front_matter(
        "---\nkey: " + std::string{value} + "\n---\n", "f.md");
    REQUIRE(read);
    CHECK(read->find("key") == value);
  }
}

TEST_CASE("indented lines and comments are no keys") {
  const auto read =
      parse_front_matter("---\n\tno key\n nor this\n#nor this\n-nor "
                         "this\na: 1\n---\n",
                         "f.md");
  REQUIRE(read);
  CHECK(read->items.size() == 1);
  CHECK(read->items[0].line == 6);
}

TEST_CASE("the sign for a malformed byte is a character like others") {
  const auto read = parse_front_matter("---\na: \xef\xbf\xbd\n---\n", "f.md");
  REQUIRE(read);
  CHECK(read->find("a") == "\xef\xbf\xbd");
}

TEST_CASE("bad front matter is refused with file and line") {
  const auto refused = [](std::string_view text, const char* message) {
    const auto read = parse_front_matter(text, "dir/f.md");
    REQUIRE_FALSE(read);
    CHECK(read.error().code == ec::malformed);
    INFO(read.error().message);
    CHECK(contains(read.error().message, message));
  };
  refused("---\na: 1\n", "dir/f.md: line 1: the front matter is not closed");
  refused("---\na: 1\nnonsense\n---\n",
          "line 3: 'nonsense' is not `key: value`");
  refused("---\n: x\n---\n", "line 2");
  refused("---\na: 1\na: 2\n---\n", "line 3: 'a' is given twice");
  refused("fine\nbad \xff byte", "line 2: the text is not UTF-8");
  refused("\xff", "line 1: the text is not UTF-8");
}

TEST_CASE("quoted text reads back, whatever is in it") {
  for (const std::string text :
       {"", "plain", "a: b", "\"", "\\", "line\nfeed", "# no comment", "📶 é",
        "  spaces  ", "'single'", "null", "---"}) {
    const auto line = yaml_quoted(text);
    CHECK_FALSE(contains(line, "\n"));
    const auto read =
        parse_front_matter("---\nkey: " + line + "\n---\n", "f.md");
    REQUIRE(read);
    CHECK(read->find("key") == text);
  }
}

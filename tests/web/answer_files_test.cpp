#include "base/file.hpp"
#include "tests/fixtures/scratch.hpp"
#include "web/export/answer_files.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

TEST_CASE("answers of an exported run are found by their key") {
  const web::answer_key key{
      {"runs", "a b"}, {{"arm", "no KB"}, {"task", "t"}}, 7};
  CHECK(key.text() == "runs\na b?arm=no KB\ntask=t#7");
  // As the page computes it.
  CHECK(web::part_hash("") == 0x811c9dc5);
  CHECK(web::part_hash("a") == 0xe40c292c);
  CHECK(web::part_hash("foobar") == 0xbf9cf968);
}

TEST_CASE("an answer of an exported run is a text to the script that has it") {
  const scratch at;
  web::answer_files files{at.path(), 1};
  const json hostile{{"__proto__", "</script>\xe2\x80\xa8\"\\'`${x}\xff"}};
  REQUIRE(files.add({{"runs"}}, hostile));
  REQUIRE(files.end());
  const auto text = read_file(at.path() / "0.js");
  REQUIRE(text);
  CHECK(text->size() == files.bytes());
  const std::string begin = "brewery_answer(\"runs#0\", ", end = ");\n";
  REQUIRE(text->starts_with(begin));
  REQUIRE(text->ends_with(end));
  const auto inner = json::parse(
      text->substr(begin.size(), text->size() - begin.size() - end.size()));
  REQUIRE(inner.is_string());
  const auto answer = json::parse(inner.get<std::string>());
  CHECK(answer["__proto__"] == "</script>\xe2\x80\xa8\"\\'`${x}\xef\xbf\xbd");
}

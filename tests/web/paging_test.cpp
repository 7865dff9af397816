#include "web/paging.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::web;

namespace {

json numbers(const page& asked, std::size_t total) {
  json out;
  add_page(out, asked, total, [](std::size_t i) { return json(i); });
  return out;
}

} // namespace

TEST_CASE("a page says which of how many it has") {
  const auto middle = numbers({2, 3}, 10);
  CHECK(middle["total"] == 10);
  CHECK(middle["offset"] == 2);
  CHECK(middle["items"] == json::array({2, 3, 4}));
  CHECK(numbers({8, 3}, 10)["items"] == json::array({8, 9}));
  CHECK(numbers({10, 3}, 10)["items"].empty());
  CHECK(numbers({std::size_t{1} << 53U, 1000}, 10)["items"].empty());
  CHECK(numbers({0, 3}, 0)["items"].empty());
}

TEST_CASE("large items make a page shorter, none is left out of the count") {
  json out;
  std::size_t seen = 0;
  const auto item = [](std::size_t) { return json(std::string(100'000, 'x')); };
  for (int pages = 0; seen < 25; ++pages) {
    REQUIRE(pages < 25);
    out = json::object();
    add_page(out, {seen, 1000}, 25, item);
    CHECK(to_text(out).size() < answer_bytes_max);
    REQUIRE_FALSE(out["items"].empty());
    seen += out["items"].size();
  }
  CHECK(seen == 25);
}

TEST_CASE("an item too large for any page is named as such") {
  json out;
  add_page(out, {0, 3}, 3, [](std::size_t i) {
    return i == 1 ? json(std::string(2'000'000, 'x')) : json(i);
  });
  CHECK(out["items"][0] == 0);
  CHECK(out["items"][1]["too_large"] == 2'000'002);
  CHECK(out["items"][2] == 2);
}

TEST_CASE("offset and limit are numbers in range") {
  CHECK(page_of({})->limit == 100);
  const auto given = page_of({{"offset", "7"}, {"limit", "1000"}});
  CHECK(given->offset == 7);
  CHECK(given->limit == 1000);
  for (const char* bad : {"", "0", "1001", "-1", "1e3", " 5", "5 ", "0x5",
                          "99999999999999999999999"}) {
    INFO(bad);
    CHECK_FALSE(page_of({{"limit", bad}}));
  }
  for (const char* bad : {"", "-1", "9007199254740993", "a"}) {
    INFO(bad);
    CHECK_FALSE(page_of({{"offset", bad}}));
  }
}

TEST_CASE("a long text is cut between characters and says how long it is") {
  CHECK(shortened("short") == "short");
  std::string text;
  while (text.size() < 70'000)
    text += "é€";
  const auto cut = shortened(text);
  CHECK(cut.size() < 65'600);
  CHECK(cut.ends_with("\n[cut here: 70000 bytes in all]"));
  CHECK(json(cut).dump().size() > 60'000); // valid UTF-8, or it would throw
}

TEST_CASE("bytes that are no UTF-8 are sent as replaced") {
  CHECK(to_text(json("a\xff")) == "\"a\uFFFD\"");
}

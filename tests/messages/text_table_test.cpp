#include "base/rng.hpp"
#include "messages/text_table.hpp"
#include "messages/wire/codec.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace brewery;

namespace {

struct as_table {
  text_table texts;
  BREWERY_FIELDS(as_table, texts)
};

struct as_strings {
  std::vector<std::string> texts;
  BREWERY_FIELDS(as_strings, texts)
};

struct as_numbers {
  std::vector<std::uint32_t> texts;
  BREWERY_FIELDS(as_numbers, texts)
};

} // namespace

TEST_CASE("a table of texts has the bytes of a list of texts, and its texts") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    INFO("seed " << seed);
    rng draw{rng_key(seed, "texts")};
    as_strings strings;
    for (auto left = draw.below(20); left > 0; --left)
      strings.texts.emplace_back(draw.below(40),
                                 static_cast<char>('a' + draw.below(26)));
    as_table table;
    for (const auto& text : strings.texts)
      table.texts.push_back(text);
    CHECK(table.texts.size() == strings.texts.size());
    CHECK(std::equal(table.texts.begin(), table.texts.end(),
                     strings.texts.begin(), strings.texts.end()));
    const auto bytes = wire::encode(strings);
    CHECK(wire::encode(table) == bytes);
    const auto read = wire::decode<as_table>(bytes);
    REQUIRE(read);
    CHECK(read->texts == table.texts);
  }
}

TEST_CASE("what is no list of texts is no table") {
  const auto read = wire::decode<as_table>(wire::encode(as_numbers{{{1, 2}}}));
  REQUIRE_FALSE(read);
  CHECK(read.error().code == ec::malformed);
  CHECK(read.error().message.find("texts[0]") != std::string::npos);
  as_table table{};
  table.texts.push_back("a");
  CHECK_FALSE(wire::decode<as_numbers>(wire::encode(table)));
}

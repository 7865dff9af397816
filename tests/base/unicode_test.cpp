#include "base/unicode.hpp"
#include "base/utf8.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace brewery;

TEST_CASE("the first and last code points of each length are decoded") {
  const struct {
    std::string_view bytes;
    char32_t value;
  } rows[] = {
      {{"\0", 1}, 0},
      {"\x7f", 0x7f},
      {"\xc2\x80", 0x80},
      {"\xdf\xbf", 0x7ff},
      {"\xe0\xa0\x80", 0x800},
      {"\xed\x9f\xbf", 0xd7ff},
      {"\xee\x80\x80", 0xe000},
      {"\xef\xbf\xbf", 0xffff},
      {"\xf0\x90\x80\x80", 0x10000},
      {"\xf4\x8f\xbf\xbf", 0x10ffff},
  };
  for (const auto& row : rows) {
    INFO("U+" << std::hex << static_cast<std::uint32_t>(row.value));
    CHECK(decode_utf8(row.bytes, 0).value == row.value);
    CHECK(decode_utf8(row.bytes, 0).size == row.bytes.size());
    const std::string after = "x" + std::string{row.bytes} + "y";
    CHECK(decode_utf8(after, 1).value == row.value);
    std::string encoded;
    append_utf8(row.value, encoded);
    CHECK(encoded == row.bytes);
  }
}

TEST_CASE("bytes that are no code point are one malformed byte") {
  for (const std::string bytes :
       {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf",
        "\xf0\x8f\xbf\xbf", "\xed\xa0\x80", "\xed\xbf\xbf", "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80", "\xff", "\xc3", "\xe2\x82", "\xf0\x9f\x93",
        "\xc3\x28", "\xe2\x28\xa1", "\xe2\x82\x28", "\xf0\x9f\x93\x28",
        "\xc3\xc3"}) {
    INFO(static_cast<unsigned>(static_cast<unsigned char>(bytes[0])));
    CHECK(decode_utf8(bytes, 0).value == 0xfffd);
    CHECK(decode_utf8(bytes, 0).size == 1);
  }
}

TEST_CASE("ASCII is letters, digits and separators") {
  for (const char32_t letter : U"azAZ_")
    if (letter != 0) CHECK(kind_of(letter) == char_kind::letter);
  for (const char32_t digit : U"09")
    if (digit != 0) CHECK(kind_of(digit) == char_kind::digit);
  for (const char32_t other : U"/:@[`{ ~\x7f")
    CHECK(kind_of(other) == char_kind::separator);
}

TEST_CASE("beyond ASCII the ranges hold to their ends") {
  const struct {
    char32_t value;
    char_kind kind;
  } rows[] = {{0x80, char_kind::separator},    {0xa9, char_kind::separator},
              {0xaa, char_kind::letter},       {0xb5, char_kind::letter},
              {0xd7, char_kind::separator},    {0xd8, char_kind::letter},
              {0x200b, char_kind::separator},  {0x200c, char_kind::ignored},
              {0x200d, char_kind::ignored},    {0x200e, char_kind::separator},
              {0x2600, char_kind::symbol},     {0x27bf, char_kind::symbol},
              {0x1f3fb, char_kind::ignored},   {0x1f400, char_kind::symbol},
              {0xe0fff, char_kind::ignored},   {0xe1000, char_kind::separator},
              {0x10ffff, char_kind::separator}};
  for (const auto& row : rows) {
    INFO("U+" << std::hex << static_cast<std::uint32_t>(row.value));
    CHECK(kind_of(row.value) == row.kind);
  }
}

TEST_CASE("capitals are lowered to the ends of their ranges, others stay") {
  const struct {
    char32_t from, to;
  } rows[] = {{'@', '@'},     {'A', 'a'},     {'Z', 'z'},     {'[', '['},
              {0xbf, 0xbf},   {0xc0, 0xe0},   {0xd6, 0xf6},   {0xd7, 0xd7},
              {0xd8, 0xf8},   {0xde, 0xfe},   {0xdf, 0xdf},   {0xff, 0xff},
              {0x100, 0x101}, {0x101, 0x101}, {0x130, 'i'},   {0x136, 0x137},
              {0x138, 0x138}, {0x139, 0x13a}, {0x13a, 0x13a}, {0x147, 0x148},
              {0x148, 0x148}, {0x149, 0x149}, {0x14a, 0x14b}, {0x176, 0x177},
              {0x178, 0xff},  {0x179, 0x17a}, {0x17d, 0x17e}, {0x17e, 0x17e},
              {0x17f, 0x17f}, {0x180, 0x180}, {0x390, 0x390}, {0x391, 0x3b1},
              {0x3ab, 0x3cb}, {0x3ac, 0x3ac}, {0x3ff, 0x37d}, {0x400, 0x450},
              {0x40f, 0x45f}, {0x410, 0x430}, {0x42f, 0x44f}, {0x430, 0x430}};
  for (const auto& row : rows) {
    INFO("U+" << std::hex << static_cast<std::uint32_t>(row.from));
    CHECK(to_lower(row.from) == row.to);
  }
}

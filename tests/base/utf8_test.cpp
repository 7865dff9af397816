#include "base/utf8.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

TEST_CASE("overlong forms, surrogates and stray bytes take one byte each") {
  for (const std::string_view bytes :
       {"\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\x80",
        "\xff", "\xf8\x88\x80\x80\x80"}) {
    CHECK(decode_utf8(bytes, 0).value == 0xfffd);
    CHECK(decode_utf8(bytes, 0).size == 1);
  }
}

TEST_CASE("every code point is decoded as it was encoded") {
  for (char32_t value = 0; value < 0x110000; ++value) {
    if (value >= 0xd800 && value < 0xe000) continue;
    std::string bytes;
    append_utf8(value, bytes);
    const auto back = decode_utf8(bytes, 0);
    if (back.value != value || back.size != bytes.size())
      FAIL("U+" << std::hex << static_cast<unsigned>(value));
  }
}

TEST_CASE("characters are counted, not bytes") {
  CHECK(count_characters("") == 0);
  CHECK(count_characters("caf\u00e9 \U0001f4f6") == 6);
}

TEST_CASE("a prefix ends between characters") {
  CHECK(utf8_prefix("caf\u00e9", 5) == "caf\u00e9");
  CHECK(utf8_prefix("caf\u00e9", 4) == "caf");
  CHECK(utf8_prefix("\U0001f4f6", 3) == "");
  CHECK(utf8_prefix("abc", 0) == "");
}

TEST_CASE("letters of every alphabet have a lower case") {
  CHECK(to_lower(U'A') == U'a');
  CHECK(to_lower(U'[') == U'[');
  CHECK(to_lower(U'\u00c9') == U'\u00e9');
  CHECK(to_lower(U'\u0130') == U'i');
  CHECK(to_lower(U'\u0386') == U'\u03ac'); // Greek, with an accent
  CHECK(to_lower(U'\u0429') == U'\u0449'); // Cyrillic
  CHECK(to_lower(U'\u1ea0') == U'\u1ea1'); // Vietnamese
  CHECK(to_lower(U'\u7f51') == U'\u7f51'); // Han has none
}

TEST_CASE("Latin letters lose their marks, and others stay") {
  CHECK(plain_letters("Sch\u00e4dlinge") == "schadlinge");
  CHECK(plain_letters("Scha\u0308dlinge") == "schadlinge");
  CHECK(plain_letters("Stra\u00dfe \u1ea0 \u01d5") == "strasse a u");
  CHECK(plain_letters("\u0141\u00f3d\u017a, \u00d8re, \u0152uvre, \u0130")
        == "lodz, ore, oeuvre, i");
  CHECK(plain_letters("\u0429\u0439 \u53d6") == "\u0449\u0439 \u53d6");
  CHECK(plain_letters("") == "");
  CHECK(plain_letters("a\xff") == "a\ufffd");
}

TEST_CASE("what Python's repr escapes is not printable") {
  for (const char32_t value : {U' ', U'~', U'\u00e9', U'\u7f51', U'\U0001f4f6'})
    CHECK(is_printable(value));
  for (const char32_t value :
       {U'\n', U'\x7f', U'\u0085', U'\u00a0', U'\u00ad', U'\u200b', U'\u2028',
        U'\u3000', U'\ue000', U'\ufeff', U'\U000e0001', U'\U0010ffff'})
    CHECK_FALSE(is_printable(value));
}

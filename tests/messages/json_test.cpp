#include "base/utf8.hpp"
#include "messages/json.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

TEST_CASE("a quoted text holds no control character and parses as it was") {
  for (char32_t value = 0; value < 0x200; ++value) {
    std::string text = "a";
    append_utf8(value, text);
    const auto quoted = json_quoted(text);
    INFO(static_cast<unsigned>(value) << ": " << quoted);
    for (std::size_t at = 0; at < quoted.size();) {
      const auto [shown, size] = decode_utf8(quoted, at);
      CHECK(shown >= ' ');
      CHECK((shown < 0x7f || shown >= 0xa0));
      at += size;
    }
    CHECK(json::parse(quoted).get<std::string>() == text);
  }
}

TEST_CASE("what is not UTF-8 is quoted as U+FFFD") {
  CHECK(json_quoted("a\xff") == "\"a\xef\xbf\xbd\"");
}

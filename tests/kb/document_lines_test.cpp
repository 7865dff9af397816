#include "kb/document_lines.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

TEST_CASE("headings, bold lines and bold words with a colon open sections") {
  struct line {
    std::string_view text;
    const char* title; ///< null: it opens nothing
    std::string_view rest = {};
  };
  const line lines[] = {
      {"# Title", "Title"},
      {"  ### When to use  ", "When to use"},
      {"##Close", "Close"},
      {"#", ""},
      {"**When to use**", "When to use"},
      {"**When to use:** at night", "When to use", "at night"},
      {"**When to use**: at night", "When to use", "at night"},
      {"**When to use: at night**", "When to use", "at night"},
      {"**Never** press it", nullptr},
      {"**Note: once** and again", nullptr},
      {"**open", nullptr},
      {"#1 comes first", nullptr},
      {"#!/bin/sh", nullptr},
      {"text # 2", nullptr},
      {"", nullptr},
  };
  for (const auto& [text, title, rest] : lines) {
    INFO(text);
    const auto opens = opening_of(text);
    REQUIRE(opens.has_value() == (title != nullptr));
    if (!opens) continue;
    CHECK(opens->title == title);
    CHECK(opens->rest == rest);
  }
}

TEST_CASE("a list's line is known by its mark") {
  for (const auto* mark : {"- ", "* ", "+ ", "1. ", "12) ", "  - "})
    CHECK(listed(std::string{mark} + "press") == "press");
  for (const auto* text : {"press", "-press", "1.5 V", ". press", "12", ""})
    CHECK(listed(text).empty());
}

TEST_CASE("a line that begins or ends code is part of neither") {
  code_blocks code{"  ```sh\n# comment\n```\n```\n# Heading\n"};
  CHECK_FALSE(code.marks("text"));
  CHECK(code.marks("  ```sh"));
  CHECK(code.inside());
  CHECK_FALSE(code.marks("# comment"));
  CHECK(code.marks("```"));
  CHECK_FALSE(code.inside());
  CHECK_FALSE(code.marks("```")); // nothing ends it
  CHECK_FALSE(code.inside());
}

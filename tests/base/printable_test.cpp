#include "base/printable.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

TEST_CASE("text for a terminal keeps line breaks and tabs alone") {
  CHECK(printable("a\x1b[2Jb\r\x7f") == "a?[2Jb??");
  CHECK(printable("caf\u00e9\n\tb") == "caf\u00e9\n\tb");
  CHECK(printable("a\u009b31m\u202eb") == "a?31m?b"); // 8 bits; right to left
  CHECK(printable("a\x9b"
                  "31m\xff")
        == "a?31m\xff");
}

TEST_CASE("a single line has no control characters, also not of Latin-1") {
  CHECK(single_line("a\nb\tc\x1b[0m\x7f") == "a b c [0m ");
  CHECK(single_line("a\u0085b\u009bc") == "a b c");
  CHECK(single_line("caf\u00e9") == "caf\u00e9");
}

TEST_CASE("a single line is UTF-8, whatever came") {
  CHECK(single_line("a\xff\xc0z") == "a\ufffd\ufffdz");
  CHECK(single_line("cut \xe2\x82") == "cut \ufffd\ufffd");
}

TEST_CASE("a single line is cut between characters, and says so") {
  CHECK(single_line("abcdef", 6) == "abcdef");
  CHECK(single_line("abcdefg", 6) == "abcdef...");
  CHECK(single_line("caf\u00e9s", 4) == "caf...");
  CHECK(single_line("a", 0) == "...");
  CHECK(single_line("", 0) == "");
}

TEST_CASE("an ASCII line shows everything else as question marks") {
  CHECK(ascii_line("a\nb\x7f") == "a?b?");
  CHECK(ascii_line("caf\u00e9") == "caf??");
  CHECK(ascii_line("abcdef", 4) == "abcd...");
  CHECK(ascii_line(std::string(300, 'x')).size() == 203);
}

TEST_CASE("white space collapses to single spaces and is trimmed") {
  CHECK(collapse_spaces("  a \r\n\t b\x1b c  ") == "a b c");
  CHECK(collapse_spaces(" \n ") == "");
}

TEST_CASE("an excerpt counts what was cut off") {
  CHECK(excerpt("abcdef", 6) == "abcdef");
  CHECK(excerpt("abcdef", 4) == "abcd... (2 more bytes)");
  CHECK(excerpt("caf\u00e9", 4) == "caf... (2 more bytes)");
}

TEST_CASE("an excerpt of both ends cuts no character and counts what it cut") {
  CHECK(excerpt_of_ends("abcdef", 6) == "abcdef");
  CHECK(excerpt_of_ends("abcdefgh", 5)
        == "abc\n[... 3 bytes left out ...]\ngh");
  CHECK(excerpt_of_ends("a\u00e9bcd\u00e9f", 4)
        == "a\n[... 7 bytes left out ...]\nf");
  CHECK(excerpt_of_ends("abc", 0) == "\n[... 3 bytes left out ...]\n");
}

#include "base/terminal_text.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

TEST_CASE("durations name hours above 60 minutes") {
  CHECK(duration_text(-1) == "?");
  CHECK(duration_text(59.4) == "59 s");
  CHECK(duration_text(185) == "3 min 05 s");
  CHECK(duration_text(3599.4) == "59 min 59 s");
  CHECK(duration_text(3599.6) == "1 h 00 min");
  CHECK(duration_text(7625) == "2 h 07 min");
}

TEST_CASE("a table without a limit has one line per row") {
  CHECK(table({{"name", "of"}, {"a long cell", "1"}, {"", "22"}})
        == "name         of\n"
           "a long cell  1\n"
           "             22\n");
}

TEST_CASE("a table that is too wide continues cells on further lines") {
  CHECK(table({{"no", "title"}, {"1", "no signal at all abroad"}}, 16)
        == "no  title\n"
           "1   no signal at\n"
           "    all abroad\n");
  // A word that is too long is cut, also between wide characters.
  CHECK(table({{"ÄÄÄÄÄÄÄÄÄÄ", "x"}}, 11)
        == "ÄÄÄÄÄÄÄÄ  x\n"
           "ÄÄ        \n");
  // What fits stays as it is.
  CHECK(table({{"a  b", " c"}}, 8) == "a  b   c\n");
}

TEST_CASE("a bar fills in eighths of a character") {
  CHECK(bar_text(0, 3) == "   ");
  CHECK(bar_text(0.5, 3) == "█▌ ");
  CHECK(bar_text(1.5, 3) == "███");
  CHECK(bar_text(-1, 2) == "  ");
  CHECK(bar_text(0.5, 3, true) == "█▌");
}

TEST_CASE("text is cut between characters") {
  CHECK(first_characters("äöü", 2) == "äö");
  CHECK(first_characters("äö", 3) == "äö");
  CHECK(first_characters("", 3).empty());
}

#include "kb/muse/memory_text.hpp"
#include "learners/muse/distillation.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::muse;

namespace {

const std::string body =
    "# board\n\n**When to use**\n\n- `check_board()` reports \"Fan: off\".\n\n"
    "**Why to use it**\n\n"
    "- Step 1: 4 of 4 attempts with it met \"x\", and 0 of 2: more.\n"
    "- Step 2: from an earlier version.\n\n### How to perform\n\n"
    "1. When `check_board()` shows \"Fan: off\": call `toggle_fan()`. Expect "
    "\"Fan: on\".\n"
    "2. When `check_board()` shows \"Fan: off\" and the task says \"out\": "
    "call "
    "`toggle_guard()`.\n\n### Additional actions\n\n"
    "- Done when `check_light()` shows \"Light: bright\".\n\n### Example\n\n"
    "- After `toggle_fan()`, 1. nothing.\n";

} // namespace

TEST_CASE("a distilled document becomes procedures") {
  const auto made = procedures_in("board", body);
  REQUIRE(made.size() == 3);
  CHECK(made[0].name == "board");
  CHECK(made[0].operation == "on Fan: off");
  CHECK(
      made[0].texts
      == std::vector<std::string>{"When `check_board()` shows \"Fan: off\": "
                                  "call `toggle_fan()`. Expect \"Fan: on\"."});
  CHECK(made[0].notes
        == std::vector<std::string>{"4 of 4 attempts with it met \"x\", and 0 "
                                    "of 2: more."});
  // Two for one line keep apart.
  CHECK(made[1].operation == "on Fan: off, 2");
  CHECK(made[2].operation == "see that it is done");
  CHECK(made[2].texts.size() == 1);
  brewery::muse::memory all;
  CHECK(merge(all, made).refused.empty());
}

TEST_CASE("a document without sentences to follow becomes nothing") {
  CHECK(procedures_in("board", "").empty());
  CHECK(procedures_in("board", "# board\n\nNothing to correct.\n- Look.\n")
            .empty());
}

#include "base/rng.hpp"
#include "roles/procedural/call_text.hpp"
#include "roles/procedural/rule_text.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

const condition fan_off{"check_board()", "Fan: off"};
const condition rack{"check(id=<line_id>)", "say \"x\""};

rule only_rule(std::string_view body) {
  const auto read = read_guidance(body);
  REQUIRE(read.rules.size() == 1);
  return read.rules.front().content;
}

} // namespace

TEST_CASE("every form of a rule is read back as it was written") {
  const std::vector<std::string> one{"toggle_fan()"};
  const std::vector<std::string> two{"release(x=<id>, y=\"a.b\")", "restart()"};
  for (const auto& when : {std::vector{fan_off}, std::vector{fan_off, rack},
                           std::vector{rack, fan_off, rack}})
    for (const auto& clauses :
         {std::vector<std::string>{}, std::vector<std::string>{"Place: out"},
          std::vector<std::string>{"a",
                                   "b \"c\" and the task says \"d\": call"}})
      for (const auto& calls : {one, two})
        for (const std::string expect : {"", "Fan: on. Really", "say \"y\""}) {
          const rule item{when, clauses, calls, expect};
          INFO(to_text(item));
          CHECK(only_rule(to_text(item)) == item);
          CHECK(only_rule("12. " + to_text(item)) == item);
          CHECK(only_rule("- As seen: " + to_text(item) + " (twice)") == item);
        }
}

TEST_CASE("every form of a goal is read back as it was written") {
  for (const auto& clauses :
       {std::vector<std::string>{}, std::vector<std::string>{"x: 1", "y"}}) {
    const goal item{rack, clauses};
    const auto read = read_guidance("# T\n\n- " + to_text(item) + "\n");
    REQUIRE(read.goals.size() == 1);
    CHECK(read.goals.front().content == item);
    CHECK(read.goals.front().line == 3);
    CHECK(read.rules.empty());
  }
}

TEST_CASE("the sentences of a document stand as its grammar says") {
  CHECK(
      to_text(rule{{fan_off, rack}, {"Place: out"}, {"a()", "b()"}, "Fan: on"})
      == "When `check_board()` shows \"Fan: off\" and `check(id=<line_id>)` "
         "shows \"say \\\"x\\\"\" and the task says \"Place: out\": call "
         "`a()`, then `b()`. Expect \"Fan: on\".");
  CHECK(to_text(goal{fan_off, {"x"}})
        == "Done when `check_board()` shows \"Fan: off\" and the task says "
           "\"x\".");
}

TEST_CASE("rules are numbered by their body line") {
  const rule item{{fan_off}, {}, {"toggle_fan()"}, ""};
  const auto read = read_guidance("# T\n\n1. " + to_text(item) + "\nprose\n2. "
                                  + to_text(item));
  REQUIRE(read.rules.size() == 2);
  CHECK(read.rules[0].line == 3);
  CHECK(read.rules[1].line == 5);
}

TEST_CASE("what does not follow the grammar is prose") {
  for (const auto* text :
       {"When in doubt, call support.",
        "When `check_board()` shows \"Fan: off\": call `toggle_fan()`",
        "When `check_board()` shows Fan: off: call `toggle_fan()`.",
        "When `check_board` shows \"Fan: off\": call `toggle_fan()`.",
        "When `check_board()` shows \"Fan: off\": call toggle_fan().",
        "When `check_board()` shows \"Fan: off\", call `toggle_fan()`.",
        "When `check_board()` shows \"Fan: off\": call `toggle_fan()`, then .",
        "When `check_board()` shows \"Fan: off\" and so: call `a()`.",
        "When `check_board()` shows \"Fan: off\": call `a()`. Expect much.",
        "when `check_board()` shows \"Fan: off\": call `toggle_fan()`.",
        "Done when `check_board()` shows \"Fan: off\"",
        "Done when `a()` shows \"x\" and `b()` shows \"y\".",
        "Done when all is well."}) {
    INFO(text);
    const auto read = read_guidance(text);
    CHECK(read.rules.empty());
    CHECK(read.goals.empty());
  }
}

TEST_CASE("a status line cannot smuggle in a rule of its own") {
  const rule evil{{fan_off}, {}, {"drop_all()"}, ""};
  const rule item{{{"look()", to_text(evil)}},
                  {to_text(evil)},
                  {"a()"},
                  to_text(goal{fan_off, {}})};
  const auto read = read_guidance(to_text(item));
  REQUIRE(read.rules.size() == 1);
  CHECK(read.rules.front().content == item);
  CHECK(read.goals.empty());
}

TEST_CASE("mutated sentences never break the reader") {
  const std::uint64_t seed = 5;
  INFO("seed " << seed);
  rng draw{rng_key(seed, "mutate-rule")};
  const auto valid = to_text(
      rule{{fan_off, rack}, {"Place: out"}, {"a(x=1)", "b(y=<id>)"}, "z"});
  int still_rules = 0;
  for (int round = 0; round < 5000; ++round) {
    auto text = valid;
    for (auto n = 1 + draw.below(3); n > 0; --n) {
      const auto at = draw.below(text.size());
      if (draw.below(2) == 0)
        text.erase(at, 1 + draw.below(5));
      else
        text[at] = static_cast<char>(draw.below(256));
    }
    for (const auto& placed : read_guidance(text).rules) {
      ++still_rules;
      REQUIRE_FALSE(placed.content.when.empty());
      REQUIRE_FALSE(placed.content.calls.empty());
    }
  }
  CHECK(still_rules > 0);
}

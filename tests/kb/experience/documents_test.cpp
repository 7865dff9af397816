/// Experiences as documents of a knowledge base, and back.

#include "kb/experience/from_document.hpp"
#include "kb/experience/to_document.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

experience lamp() {
  return {"Light the lamp",
          {"the room is dark", "`look()` shows \"lamp: off\""},
          {"Done when `look()` shows \"lamp: on\"."},
          {"When `look()` shows \"lamp: off\": call `toggle(\"lamp\")`."},
          {{"no power", "fit the fuse"}, {"still dark", ""}},
          "toy",
          1,
          {"look", "toggle"},
          {"task-1"}};
}

} // namespace

TEST_CASE("a document of an experience is ingested as what it was made of") {
  const auto item = lamp();
  const auto text = to_document(item);
  CHECK(text.find("**When to use:**") != std::string::npos);
  const auto back = experience_of(text, "toy");
  REQUIRE(back);
  CHECK(back->title == item.title);
  CHECK(back->problem == item.problem);
  CHECK(back->goal == item.goal);
  CHECK(back->steps == item.steps);
  CHECK(back->failures == item.failures);
  CHECK(back->domain == "toy");
  CHECK(to_document(*back) == text);
}

TEST_CASE("an experience without goal or failures has no such sections") {
  auto item = lamp();
  item.goal.clear();
  item.failures.clear();
  const auto text = to_document(item);
  CHECK(text.find("Additional") == std::string::npos);
  CHECK(text.find(failures_heading) == std::string::npos);
  const auto back = experience_of(text, "toy");
  REQUIRE(back);
  CHECK(back->steps == item.steps);
}

TEST_CASE("what goes on in the next line belongs to what began before it") {
  const auto made = experience_of("# Refunds\n"
                                  "An order can be refunded once.\n\n"
                                  "**When to use**\n"
                                  "- The customer asks\n"
                                  "  for money.\n\n"
                                  "## Steps\n"
                                  "1. Call get_order() ; never refund when it\n"
                                  "   says \"opened\":\n"
                                  "   ```python\n"
                                  "   refund(order)\n"
                                  "   ```\n"
                                  "2. Done when it is paid.\n\n"
                                  "Never refund more than the limit.\n\n"
                                  "### What goes wrong\n"
                                  "- no order => ask\n"
                                  "  for its number\n",
                                  "shop");
  REQUIRE(made);
  CHECK(made->problem
        == std::vector<std::string>{"An order can be refunded once.",
                                    "The customer asks for money."});
  CHECK(made->steps
        == std::vector<std::string>{
            "Call get_order() ; never refund when it says \"opened\": "
            "refund(order)",
            "Never refund more than the limit."});
  CHECK(made->goal == std::vector<std::string>{"Done when it is paid."});
  REQUIRE(made->failures.size() == 1);
  CHECK(made->failures[0].recovery == "ask for its number");
}

TEST_CASE("a word with a colon names a list and goes on with no item") {
  const auto made = experience_of("# Application: Board\n\n"
                                  "## Light the lamp\n\n"
                                  "Preconditions:\n"
                                  "- The lamp is off.\n"
                                  "Steps:\n"
                                  "1. Call toggle() until it\n"
                                  "   shows:\n"
                                  "   on.\n"
                                  "Notes:\n"
                                  "- It flickers first.\n",
                                  "toy");
  REQUIRE(made);
  CHECK(made->steps
        == std::vector<std::string>{"Preconditions:", "The lamp is off.",
                                    "Call toggle() until it shows: on.",
                                    "Notes:", "It flickers first."});
}

TEST_CASE("each procedure of a memory is an experience, without its notes") {
  const std::string memory = "# Application: look\n\n"
                             "## on Light: dim\n\n"
                             "Preconditions:\n- The door is open.\n"
                             "Steps:\n1. Move it.\n2. Look.\n"
                             "Notes:\n- 3 of 3 attempts met it.\n\n"
                             "## on Soil: dry\n\n"
                             "Steps:\n1. Water it.\n";
  const auto made = experiences_of(memory, "garden");
  REQUIRE(made);
  REQUIRE(made->size() == 2);
  const auto& dim = made->front();
  CHECK(dim.title == "look: on Light: dim");
  CHECK(dim.problem
        == std::vector<std::string>{"on Light: dim", "The door is open."});
  CHECK(dim.steps == std::vector<std::string>{"Move it.", "Look."});
  CHECK(dim.domain == "garden");
  CHECK(made->back().steps == std::vector<std::string>{"Water it."});
}

TEST_CASE("strategies and notes on tools are no experiences") {
  for (const auto* text : {"# Tools\n\n## look\n\nLook first.\n",
                           "# Strategies\n\n## nothing helps\n\nLook.\n"}) {
    const auto made = experiences_of(text, "toy");
    REQUIRE(made);
    CHECK(made->empty());
  }
}

TEST_CASE(
    "a slip in procedures is an error, and makes no steps of their notes") {
  const auto made = experiences_of("# Application: look\n"
                                   "## on Light: dim\n\n"
                                   "Steps:\n1. Move it.\n"
                                   "Notes:\n- Seen once.\n",
                                   "toy");
  REQUIRE_FALSE(made);
  CHECK(made.error().message == "line 2: an empty line is missing");
}

TEST_CASE("any other document is one experience") {
  const auto made = experiences_of("# Tools\n\n- Use a hammer.\n", "toy");
  REQUIRE(made);
  REQUIRE(made->size() == 1);
  CHECK(made->front().steps == std::vector<std::string>{"Use a hammer."});
}

TEST_CASE("bold words and code are no headings, and lists have any mark") {
  const auto made = experience_of("```\n# no title\n```\n"
                                  "# Refunds\n\n"
                                  "## When to use it\n- It is late.\n"
                                  "## Steps\n"
                                  "1) Refund the order, but\n"
                                  "   **never** twice.\n"
                                  "* **Important:** ask first.\n"
                                  "+ Run\n"
                                  "  ```\n"
                                  "  # not before noon\n"
                                  "  - go\n\n"
                                  "  - stop\n"
                                  "  ```\n"
                                  "### Example\n"
                                  "```\n# a comment\n- no step\n```\n"
                                  "### What goes wrong\n"
                                  "- sign that goes\n  on => ask\n",
                                  "shop");
  REQUIRE(made);
  CHECK(made->title == "Refunds");
  CHECK(made->problem == std::vector<std::string>{"# no title", "It is late."});
  CHECK(made->steps
        == std::vector<std::string>{"Refund the order, but **never** twice.",
                                    "**Important:** ask first.",
                                    "Run # not before noon - go - stop"});
  REQUIRE(made->failures.size() == 1);
  CHECK(made->failures[0] == failure_mode{"sign that goes on", "ask"});
}

TEST_CASE("what a document rests on makes no steps") {
  const auto made = experience_of("# Lamp\n\n"
                                  "**When to use**\n\n- It is dark.\n\n"
                                  "**Why to use it**\n\n- Step 1: 3 of 4.\n\n"
                                  "### How to perform\n\n1. Press.\n\n"
                                  "### Example\n\n- After `press()`: on.\n",
                                  "toy");
  REQUIRE(made);
  CHECK(made->steps == std::vector<std::string>{"Press."});
}

TEST_CASE("a slip in an experience is an error, and makes no steps of it") {
  auto text = to_markdown(lamp());
  CHECK(experience_of(text, "other")->domain == "toy");
  text.replace(text.find("difficulty: 1"), 13, "difficulty: x");
  const auto got = experience_of(text, "toy");
  REQUIRE_FALSE(got);
  CHECK(got.error().message
        == "experience, line 24: difficulty: expected a whole number of 0 or "
           "more");
}

TEST_CASE("an experience with a misspelt heading is refused with its line") {
  const auto whole = to_markdown(lamp());
  REQUIRE(experience_of(whole, "toy"));
  for (const auto part : experience_parts) {
    const auto heading = "## " + std::string{part};
    auto text = whole;
    text.replace(text.find(heading), heading.size(), heading + 'x');
    INFO(heading);
    const auto refused = experience_of(text, "toy");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("expected \"" + heading + '"')
          != std::string::npos);
  }
}

#include "kb/experience/experience.hpp"
#include "kb/front_matter.hpp"
#include "store/export_skills.hpp"
#include "store/folder.hpp"
#include "tests/kb/support.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::test;

namespace {

const char* const body = "# No mobile data\n"
                         "\n"
                         "**When to use**\n"
                         "\n"
                         "- the status bar shows 📵\n"
                         "- **always** before a speed test\n"
                         "\n"
                         "**Why to use it**\n"
                         "\n"
                         "It helps.\n"
                         "\n"
                         "### How to perform\n"
                         "1. check\n";

} // namespace

TEST_CASE("a section is the text up to the next heading or bold line") {
  CHECK(section_text(body, "When to use")
        == "the status bar shows 📵; **always** before a speed test");
  CHECK(section_text(body, "why to use") == "It helps.");
  CHECK(section_text(body, "how to perform") == "1. check");
  CHECK(section_text(body, "example") == "");
  CHECK(section_text("## When to use it\nnow\n## Next\nno", "when to use")
        == "now");
  CHECK(section_text("**When to use:** at\nnight\n**Why**: x", "when to use")
        == "at night");
  CHECK(section_text("**When to use**\n- It is dark.\n- at\n  night\n- alone",
                     "when to use")
        == "It is dark. at night; alone");
  CHECK(section_text("## When to use\n1. #1 is down\n```sh\n# now\n```\n# B\n",
                     "when to use")
        == "1. #1 is down # now");
}

TEST_CASE("a skill says when to use it") {
  const auto skills = skills_of(make_kb({{{0}, "No mobile data", doc(body)},
                                         {{1}, "Plain", doc("# Plain\n")},
                                         {{2}, "", doc("nothing")}}));
  REQUIRE(skills.size() == 3);
  CHECK(skills[0].name == "no-mobile-data");
  const auto read = parse_front_matter(skills[0].text, "SKILL.md");
  REQUIRE(read);
  CHECK(read->find("name") == "no-mobile-data");
  CHECK(read->find("description") == skills[0].description);
  CHECK(read->body == body);
  CHECK(skills[1].description == "Plain");
  CHECK(skills[2].name == "concept");
  CHECK(skills[2].description == "Concept 2: nothing");
}

TEST_CASE("a skill says more than its title") {
  experience lamp;
  lamp.title = "Lamp";
  lamp.problem = {"the room is dark", "no light shows"};
  lamp.steps = {"press"};
  lamp.domain = "toy";
  const auto skills = skills_of(
      make_kb({{{0}, "Lamp", doc(to_markdown(lamp))},
               {{1}, "Tools", doc("# Tools\n\n## `press`\n- turns it on\n")}}));
  CHECK(skills[0].description == "the room is dark; no light shows");
  CHECK(skills[1].description == "Tools: turns it on");
}

TEST_CASE("a skill of a memory says what is in it") {
  const auto skills = skills_of(make_kb(
      {{{0},
        "Application: look",
        doc("# Application: look\n\n## on Light: dim\n\nSteps:\n1. Move it.\n"
            "Notes:\n- Seen once.\n\n## on Soil: dry\n\nSteps:\n1. Water.\n")},
       {{1},
        "Tools",
        doc("# Tools\n\n## spray\n\nIt shows in `look()`.\n\n## water\n\n"
            "Once a day.\n")},
       {{2},
        "Strategies",
        doc("# Strategies\n\n## nothing helps\n\nLook again\n")}}));
  CHECK(skills[0].description == "look: on Light: dim; on Soil: dry");
  CHECK(skills[1].description
        == "spray: It shows in `look()`. water: Once a day.");
  CHECK(skills[2].description == "nothing helps: Look again");
}

TEST_CASE("a skill of an experience does not say which tasks it is from") {
  const experience lamp{"Lamp",   {"it is dark"}, {}, {"press"}, {}, "toy", 0,
                        {"look"}, {"no_fuse"}};
  const auto skills =
      skills_of(make_kb({{{0}, "Lamp", doc(to_markdown(lamp))}}));
  const auto read = parse_front_matter(skills[0].text, "SKILL.md");
  REQUIRE(read);
  CHECK(read->body == told_markdown(lamp));
  CHECK(read->body.find("no_fuse") == std::string::npos);
  auto nameless = lamp; // all else is the same
  nameless.from.clear();
  CHECK(*read_experience(read->body) == nameless);
}

TEST_CASE("a description has no angle brackets") {
  const auto skills = skills_of(make_kb(
      {{{0}, "", doc("# A\n**When to use**: `get(<id>)`, x < 5 => y")}}));
  CHECK(skills[0].description == "`get({id})`, x \u2039 5 =\u203a y");
}

TEST_CASE("names are distinct and within the limits") {
  const std::string longest(100, 'x');
  const auto skills =
      skills_of(make_kb({{{0}, longest, doc("a")},
                         {{1}, longest, doc("b")},
                         {{2},
                          longest,
                          doc("**When to use**\n" + std::string(900, 'w') + " "
                              + std::string(300, 'v'))}}));
  CHECK(skills[1].name == skills[0].name + "-2");
  CHECK(skills[2].name == skills[0].name + "-3");
  for (const auto& one : skills) {
    CHECK(one.name.size() <= 64);
    CHECK(one.description.size() <= 1024);
  }
  CHECK(skills[2].description == std::string(900, 'w') + "...");
}

TEST_CASE("a description is never cut inside a character") {
  std::string text = "**When to use**\n";
  for (int i = 0; i < 400; ++i)
    text += "é€";
  const auto skills = skills_of(make_kb({{{0}, "t", doc(text)}}));
  CHECK(skills[0].description.size() <= 1024);
  CHECK(parse_front_matter(skills[0].description, "f")); // valid UTF-8
}

TEST_CASE("exported skills are a folder per concept") {
  const scratch_folder dir;
  const auto kb = make_kb(
      {{{0}, "No mobile data", doc(body)}, {{1}, "Plain", doc("# Plain\n")}});
  REQUIRE(export_skills(dir / "skills", kb));
  CHECK(count_entries(dir / "skills") == 2);
  CHECK(get(dir / "skills/plain/SKILL.md")
        == "---\nname: plain\ndescription: \"Plain\"\n---\n# Plain\n");
  // And they can be evaluated again.
  const auto back = read_knowledge_base(dir / "skills");
  REQUIRE(back);
  CHECK(back->kb.hash() == kb.hash());
  const auto again = export_skills(dir / "skills", kb);
  REQUIRE_FALSE(again);
  CHECK(again.error().code == ec::already_exists);
}

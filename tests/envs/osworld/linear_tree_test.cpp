#include "envs/osworld/observation/linear_tree.hpp"
#include "envs/osworld/observation/xml_nodes.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::osworld;

namespace {

constexpr const char* tree = R"xml(<desktop-frame
 xmlns:st="https://accessibility.ubuntu.example.org/ns/state"
 xmlns:attr="https://accessibility.ubuntu.example.org/ns/attributes"
 xmlns:cp="https://accessibility.ubuntu.example.org/ns/component">
<application name="x"><push-button name="O&amp;K" attr:class="b" attr:description="d"
 st:showing="true" st:visible="true" st:enabled="true"
 cp:screencoord="(10, 20)" cp:size="(30, 40)"/>
<label name="hidden" st:visible="true" st:enabled="true" cp:screencoord="(1, 2)" cp:size="(3, 4)"/>
<label name="outside" st:showing="true" st:visible="true" st:enabled="true" cp:screencoord="(-5, 2)" cp:size="(3, 4)"/>
<panel name="no kind" st:showing="true" st:visible="true" st:enabled="true" cp:screencoord="(1, 2)" cp:size="(3, 4)"/>
<entry name="" st:showing="true" st:visible="true" st:editable="true" cp:screencoord="(0, 0)" cp:size="(1, 1)">say "hi"<b/>not this</entry>
</application></desktop-frame>)xml";

} // namespace

TEST_CASE("osworld: the tree becomes the official agent's table") {
  const auto elements = visible_elements(tree);
  REQUIRE(elements);
  CHECK(tree_table(*elements)
        == "tag\tname\ttext\tclass\tdescription\tposition (top-left x&y)\tsize "
           "(w&h)\n"
           "push-button\tO&K\t\"\"\tb\td\t(10, 20)\t(30, 40)\n"
           "entry\t\t\"say \"\"hi\"\"\"\t\t\t(0, 0)\t(1, 1)");
}

TEST_CASE("osworld: a table is cut after a whole line") {
  CHECK(cut_table("one\ntwo\nthree", 9) == "one\ntwo\n[...]\n");
  CHECK(cut_table("one", 9) == "one");
}

TEST_CASE("osworld: what is no XML, or asks for too much, is refused") {
  const auto text =
      GENERATE(as<std::string>{}, "", "text", "<a>", "<a></b>", "<a/><b/>",
               "<a x=1/>", "<a>&nope;</a>", "<p:a q:x='1'/>",
               "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "<a>&#xD800;</a>");
  INFO(text);
  CHECK_FALSE(read_xml(text));
}

TEST_CASE("osworld: deep trees need no deep stack") {
  std::string text;
  for (int i = 0; i < 200'000; ++i)
    text += "<a>";
  for (int i = 0; i < 200'000; ++i)
    text += "</a>";
  const auto nodes = read_xml(text);
  REQUIRE(nodes);
  CHECK(nodes->back().depth == 199'999);
}

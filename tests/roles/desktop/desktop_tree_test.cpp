#include "base/rng.hpp"
#include "roles/desktop/procedural/screen_elements.hpp"
#include "roles/desktop/tree/tree_change.hpp"
#include "tests/fixtures/text.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::desktop;

namespace {

const std::string sample =
    R"x(<?xml version="1.0"?><!-- a --><desktop-frame xmlns:st="s" name="main">
<application name="soffice.bin"><frame name="A &amp; &quot;B&quot; &#233;&#x2713;" st:active="true"
 st:showing="true" cp:screencoord="(-5, 10)" cp:size="(800, 600)" st:enabled="false">
<menu name="View" st:showing="true" cp:screencoord="(0, 10)" cp:size="(40, 20)">
<check-menu-item name="Ruler" st:checked="true"/><menu name="More"><menu-item name="Deep"/></menu></menu>
<text st:showing="true" st:editable="true" st:focused='true' cp:screencoord="(1,2)" cp:size="(3,4)"> typed
 text </text><push-button name="OK" st:showing="true" cp:size="(0, 0)"/>
</frame></application><application name="other"><frame name="Behind" st:showing="true"
 cp:screencoord="(0,0)" cp:size="(9,9)"><push-button name="No" st:showing="true"
 cp:screencoord="(0,0)" cp:size="(9,9)"/></frame></application></desktop-frame>)x";

accessible_tree tree_of_xml(const std::string& xml) {
  const auto got = read_accessible_tree(xml);
  if (!got) FAIL(got.error().message);
  return *got;
}

std::string window_xml(const std::string& inside) {
  return "<desktop-frame><application name=\"a\"><frame name=\"w\" "
         "st:showing=\"true\" cp:screencoord=\"(0,0)\" cp:size=\"(9,9)\">"
         + inside + "</frame></application></desktop-frame>";
}

std::string node_xml(const std::string& tag, const std::string& name,
                     const std::string& more = "") {
  return "<" + tag + " name=\"" + name
         + "\" st:showing=\"true\" cp:screencoord=\"(1,1)\" cp:size=\"(4,4)\" "
         + more + "/>";
}

} // namespace

TEST_CASE("a tree has roles, names, states, boxes and applications") {
  const auto tree = tree_of_xml(sample);
  REQUIRE(tree.nodes.size() == 12);
  const auto& frame = tree.nodes[2];
  CHECK(frame.tag == "frame");
  CHECK(frame.name == "A & \"B\" \xc3\xa9\xe2\x9c\x93");
  CHECK(frame.active);
  CHECK(frame.showing);
  CHECK_FALSE(frame.enabled);
  CHECK(frame.box == box_px{-5, 10, 800, 600});
  CHECK(frame.parent == 1);
  CHECK(frame.application == 1);
  CHECK(tree.nodes[4].checked);
  CHECK_FALSE(tree.nodes[4].showing);
  CHECK(tree.nodes[7].text == "typed\n text");
  CHECK(tree.nodes[7].focused);
  CHECK_FALSE(tree.nodes[8].showing); // without an area
  CHECK(tree.nodes[11].application == 9);
}

TEST_CASE("a view has the application in front, and what its menus hide") {
  const auto view = view_of(tree_of_xml(sample));
  CHECK(view.application == "soffice.bin");
  CHECK(view.lines == std::vector<std::string>{"application: soffice.bin"});
  std::vector<std::string> labels;
  for (const auto& item : view.elements)
    labels.push_back(
        item.label
        + (item.opener ? " in " + item.opener_label : std::string{}));
  CHECK(labels
        == std::vector<std::string>{"check-menu-item Ruler in menu View",
                                    "menu-item Deep in menu View", "text "});
  CHECK(view.elements[0].opener == point{20, 20});
  CHECK(view.elements[2].text_field);
  CHECK(view_of({}).elements.empty());
}

TEST_CASE("a change names what came, went and is otherwise") {
  const auto before = tree_of_xml(window_xml(node_xml("menu", "View")
                                             + node_xml("dialog", "Old")
                                             + node_xml("check-box", "Ruler")));
  const auto after = tree_of_xml(
      window_xml(node_xml("menu", "View")
                 + node_xml("check-box", "Ruler", "st:checked=\"true\"")
                 + node_xml("dialog", "New")));
  CHECK(tree_change(before, after)
        == "+ dialog \"New\"\n- dialog \"Old\"\n* check-box \"Ruler\": "
           "(checked)\n");
  CHECK(tree_change(after, after) == "(nothing changed)\n");
  CHECK(tree_change(after, before, {.lines = 0, .text_bytes = 9})
        == "+ and 1 more\n- and 1 more\n* and 1 more\n");
}

TEST_CASE("XML that is none is refused with its place") {
  for (const std::string xml :
       {"<a", "<a>", "</a>", "<a b>", "<a b=c/>", "<a b='c/>", "<!-- ", "<>",
        "<a></a></a>", "<a <b/>"}) {
    INFO(xml);
    const auto got = read_accessible_tree(xml);
    REQUIRE_FALSE(got);
    CHECK(contains(got.error().message, "accessibility tree: byte "));
  }
  CHECK_FALSE(read_accessible_tree("<a/>", {.bytes = 3}));
}

TEST_CASE("a tree is read within its limits") {
  std::string wide = "<r>", deep;
  for (int i = 0; i < 100; ++i)
    wide += "<n name=\"x\"/>";
  CHECK(read_accessible_tree(wide + "</r>", {.nodes = 10})->nodes.size() == 10);
  for (int i = 0; i < 60; ++i)
    deep += "<n>";
  for (int i = 0; i < 60; ++i)
    deep += "</n>";
  const auto cut = read_accessible_tree(deep, {.depth = 40});
  REQUIRE(cut);
  CHECK(cut->nodes.size() == 40);
  std::string deeper;
  for (int i = 0; i < 1'000'000; ++i)
    deeper += "<n>";
  CHECK_FALSE(read_accessible_tree(deeper));
}

TEST_CASE("no XML can break the reader") {
  brewery::rng draw{7};
  for (int round = 0; round < 3'000; ++round) {
    auto xml = sample;
    for (auto n = 1 + draw.below(8); n > 0; --n) {
      const auto at = draw.below(xml.size());
      switch (draw.below(3)) {
      case 0:
        xml.erase(at, 1 + draw.below(20));
        break;
      case 1:
        xml[at] = static_cast<char>(draw.below(256));
        break;
      default:
        xml.insert(at, xml.substr(draw.below(xml.size()), draw.below(40)));
      }
    }
    const auto got = read_accessible_tree(xml);
    if (!got) continue;
    for (std::uint32_t i = 0; i < got->nodes.size(); ++i) {
      const auto& item = got->nodes[i];
      CHECK((item.parent == accessible::none || item.parent < i));
    }
    tree_change(*got, tree_of_xml(sample));
    view_of(*got);
  }
}

// Selectors of rules about accessibility trees, databases and dates of grades.
#include "envs/osworld/grading/native_names.hpp"
#include "envs/osworld/grading/relative_time.hpp"
#include "envs/osworld/grading/select/xml_selector.hpp"
#include "envs/osworld/grading/sqlite_file.hpp"
#include "envs/osworld/tasks/task.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::osworld;

namespace {

constexpr const char* mail_tree = R"(<desktop xmlns:attr="u">
  <application name="Thunderbird"><tool-bar attr:id="m">
    <label name="To"/><x attr:class="pill"><label name="fox@x.edu"/></x>
    <label name="Cc"/><x attr:class="pill"><label name="elk@x.edu">hi</label></x>
  </tool-bar></application></desktop>)";

std::vector<std::string> selected_names(const result<xml_selector>& selector) {
  REQUIRE(selector);
  const auto nodes = read_xml(mail_tree);
  REQUIRE(nodes);
  std::vector<std::string> out;
  for (const auto index : selector->select(*nodes)) {
    const auto* name = (*nodes)[index].find("", "name");
    out.push_back(name ? *name : (*nodes)[index].tag);
  }
  return out;
}

std::vector<std::string> by_css(const char* text) {
  return selected_names(xml_selector::from_css(text, {{"attr", "u"}}));
}
std::vector<std::string> by_xpath(const char* text) {
  return selected_names(xml_selector::from_xpath(text, {{"attr", "u"}}));
}
using selection = std::vector<std::string>;

std::string lacking_in(const std::string& graded) {
  const auto task = parse_task(
      R"({"id": "t", "instruction": "i", "evaluator": )" + graded + "}", "os");
  REQUIRE(task);
  return not_native(task->graded);
}

} // namespace

TEST_CASE("osworld: CSS selects as cssselect does") {
  CHECK(by_css("tool-bar[attr|id=m] label")
        == selection{"To", "fox@x.edu", "Cc", "elk@x.edu"});
  CHECK(by_css("label[name=To]~[attr|class=\"pill\"]>label[name*=\"@\"]")
        == selection{"fox@x.edu", "elk@x.edu"});
  CHECK(by_css("label[name=To]+x>label") == selection{"fox@x.edu"});
  CHECK(by_css("label[name$=edu], application[name^=Thunder]")
        == selection{"Thunderbird", "fox@x.edu", "elk@x.edu"});
  CHECK(by_css("label[name*=\"\"]").empty());
  for (const auto* unknown : {"label:first-child", ".pill", "#m", "[no|id=m]",
                              "label[name", "a >", "", "[name~=x]", "a\\41 b"})
    CHECK_FALSE(xml_selector::from_css(unknown, {{"attr", "u"}}));
}

TEST_CASE("osworld: XPath selects as XPath 1.0 does") {
  CHECK(by_xpath("//application[@name='Thunderbird']//*[contains(text(), 'hi') "
                 "or contains(@name, 'fox')]")
        == selection{"fox@x.edu", "elk@x.edu"});
  CHECK(by_xpath("/desktop/application") == selection{"Thunderbird"});
  CHECK(by_xpath("//label[not(@name='To') and not(contains(@name, '@'))]")
        == selection{"Cc"});
  CHECK(by_xpath("//x[@attr:class != 'pill']").empty());
  for (const auto* unknown :
       {"//a[1]", "count(//a)", "//a[@b=", "//a[text()='x']", "//no:a", "a",
        "//a[@no:b]", "//a/..", "//a[last()]", "//@name"})
    CHECK_FALSE(xml_selector::from_xpath(unknown, {{"attr", "u"}}));
}

TEST_CASE("osworld: what is not known natively needs the official evaluators") {
  const auto tree = [](const std::string& rule) {
    return lacking_in(R"({"func": "check_accessibility_tree",
                       "result": {"type": "accessibility_tree"},
                       "expected": {"type": "rule", "rules": [)"
                      + rule + "]}}");
  };
  CHECK(tree(R"({"selectors": ["a[name=b]"]})").empty());
  CHECK(tree(R"({"selectors": ["a:empty"]})")
        == "check_accessibility_tree of these rules");
  CHECK_FALSE(tree(R"({"xpath": "//a", "text": "b", "exact": false})").empty());
  const auto time = [](const std::string& relative) {
    return lacking_in(R"({"func": "exact_match",
                       "result": {"type": "vm_command_line", "command": "x"},
                       "expected": {"type": "rule_relativeTime",
                                    "rules": {"relativeTime": )"
                      + relative + "}}}");
  };
  CHECK(time(R"({"from": "next Monday"})").empty());
  CHECK(time(R"({"from": "next Saturday", "to": "next Sunday"})")
        == "rule_relativeTime of this time");
}

TEST_CASE("osworld: databases of a guest are read, and hold nobody up") {
  const auto rows = sqlite_rows("", "SELECT 1, 'a', 0.5, NULL");
  REQUIRE(rows);
  CHECK((*rows)[0] == json::array({1, "a", 0.5, nullptr}));
  CHECK_FALSE(sqlite_rows("", "SELECT * FROM nothing"));
  CHECK_FALSE(sqlite_rows("not a database, but long enough to be taken for one "
                          "by whoever looks at its length only, which nobody "
                          "should do with what comes from elsewhere",
                          "SELECT * FROM sqlite_schema"));
  const auto endless = sqlite_rows(
      "", "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
          "SELECT COUNT(*) FROM n");
  REQUIRE_FALSE(endless);
  CHECK(endless.error().code == ec::exhausted);
  CHECK_FALSE(sqlite_rows("", "ATTACH '/etc/passwd' AS other"));
}

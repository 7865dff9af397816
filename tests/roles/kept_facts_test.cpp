#include "base/rng.hpp"
#include "base/text.hpp"
#include "roles/model/documents/dropped_line.hpp"
#include "roles/model/documents/facts.hpp"
#include "roles/model/documents/kept_facts.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

using names = std::vector<std::string>;

const char* const refunds = R"(# Refunds

**When to use**

- The line is "suspended" or shows “No service”.

### How to perform

1. Call `refund(order_id, reason)` within 30 days.
2. See step 4; wait 5 minutes, then `look_up`.

```
ws.insert_cols(2)
print("done")
```
)";

names shown_of(std::string_view text) {
  names out;
  for (const auto& one : facts_of(text))
    out.push_back(one.shown);
  return out;
}

counted_insight told_of(const std::string& name, const std::string& sentence) {
  insight item;
  item.id = {name};
  item.sentence = sentence;
  counted_insight out;
  out.item = std::move(item);
  return out;
}

} // namespace

TEST_CASE("facts are code, numbers with their unit, and short quotations") {
  CHECK(shown_of(refunds)
        == names{"\"suspended\"", "\"No service\"",
                 "`refund(order_id, reason)`", "`look_up`", "`insert_cols`",
                 "`print`", "\"done\"", "30 days", "5 minutes"});
}

TEST_CASE("of a text there are these facts") {
  const std::vector<std::pair<std::string, names>> cases{
      {"", {}},
      {"Plain words, no fact.", {}},
      {"`a` and `A` and ` a `", {"`a`"}},
      {"``x ` y`` is one", {"`x ` y`"}},
      {"an open ` is none", {}},
      {"`()` and \"\" and `-`", {}},
      {"pay 5%, 5 % or 5 percent", {"5%"}},
      {"at most 1,000 MB or 1000 MB", {"1000 mb"}},
      {"3 of them, 0.75 in all", {"3", "0.75"}},
      {"the 30-day rule, 5GB", {"30 day", "5 gb"}},
      {"cells A1 and H2O name no number", {}},
      {"1. first\n2) second\n- 3 items", {"3 items"}},
      {"Steps 3 and step 4", {}},
      {"a screen of 5\" is none", {"5"}},
      {"«Нет сети» und „kein Netz“", {"\"kein Netz\"", "\"Нет сети\""}},
      {"\"a b c d e f g h i j k l\"", {"\"a b c d e f g h i j k l\""}},
      {"\"a b c d e f g h i j k l m\"", {}}};
  for (const auto& [text, facts] : cases) {
    INFO(text);
    CHECK(shown_of(text) == facts);
  }
}

TEST_CASE("a document that says the same in another order has lost nothing") {
  CHECK(lost_facts(refunds, refunds).empty());
  CHECK(lost_facts("", "anything").empty());
  CHECK(lost_facts("", "").empty());
  CHECK(lost_facts(refunds, R"(- Wait **5 minutes** after `look_up()`.
- At most thirty, that is 30 calendar days: `refund( order_id,reason )`.
- `sheet.insert_cols(2)`, then `print`: Done
- "no service", Suspended)")
            .empty());
  CHECK(lost_facts(refunds, "").size() == shown_of(refunds).size());
}

TEST_CASE("of these documents these facts are not in the next") {
  struct row {
    std::string before, after;
    names lost;
  };
  const std::vector<row> cases{{"`a`, `b`, `c`", "c, then `A`", {"`b`"}},
                               {"`on`", "once", {"`on`"}},
                               {"`on`", "it is on.", {}},
                               {"`get_order`", "`get_orders`", {"`get_order`"}},
                               {"`get_order`", "`get_order(id)`", {}},
                               {"`f(a, b)`", "`f(b, a)`", {"`f(a, b)`"}},
                               {"`f(a, b)`", "`f(a,b)`", {}},
                               {"`x = 'a'`", "`x=\"a\"`", {}},
                               {"30 days", "30 hours", {"30 days"}},
                               {"30 days", "13 days", {"30 days"}},
                               {"30 days", "a 30-day rule", {}},
                               {"30 days", "day 30", {}},
                               {"1 day", "2 days", {"1 day"}},
                               {"3 boxes, 3 entries", "3 box, 3 entry", {}},
                               {"2 lines", "two lines", {}},
                               {"5 GB", "`5gb`", {}},
                               {"1 of them", "0, 1 and 2", {}},
                               {"1 of them", "0,1 and 2", {"1"}},
                               {"at most 7", "- 7", {}},
                               {"at most 7", "7. seventh", {"7"}},
                               {"\"Suspended line\"", "suspended lines", {}},
                               {"\"entry\"", "Entries", {}},
                               {"\"No service!\"", "no  service", {}},
                               {"\"off\"", "offline", {"\"off\""}},
                               {"\"Straße ÜBER\"", "straße über", {}},
                               {"“已停机”", "状态为已停机时", {}},
                               {"“已停机”", "状态为停机", {"\"已停机\""}},
                               {"`café`", "`caf`", {"`café`"}}};
  for (const auto& [before, after, lost] : cases) {
    INFO(before << " -> " << after);
    CHECK(lost_facts(before, after) == lost);
  }
}

TEST_CASE("points whose insights are all dropped are not looked for") {
  const std::string body = "- `a`\n- `b`\n- `c`\n";
  const std::vector<line_evidence> evidence{{1, {{"x"}}}, {2, {{"x"}, {"y"}}}};
  CHECK(shown_of(without_points(body, evidence, {{"x"}}))
        == names{"`b`", "`c`"});
  CHECK(shown_of(without_points(body, evidence, {{"x"}, {"y"}}))
        == names{"`c`"});
  CHECK(shown_of(without_points(body, evidence, {})).size() == 3);
}

TEST_CASE("an insight is in a point that cites it, or by all of its code") {
  integrate_job job;
  job.insights = {told_of("cited", "Plain."), told_of("plain", "Words only."),
                  told_of("all", "`a` before `b`."),
                  told_of("some", "`a`, `c`.")};
  const auto insights = number_insights(job);
  integrate_result made;
  made.body = "- first\n- `b`, `a`\n";
  made.evidence = {{1, {{"cited"}}}};
  CHECK(unused_insights(insights, made) == std::vector<std::size_t>{1, 3});
}

TEST_CASE("the last line may name what was dropped") {
  struct row {
    std::string reply, document, dropped;
  };
  const std::vector<row> cases{
      {"", "", ""},
      {"- a\n", "- a\n", ""},
      {"- a\n\nDropped: `b`, i3\n", "- a\n", "`b`, i3"},
      {"- a\n**Dropped:** 30 days", "- a", "30 days"},
      {"- a\n- *dropped*: b", "- a", "b"},
      {"- a\nDropped:\n- b\n- c", "- a", "\n- b\n- c"},
      {"Dropped: b\n- a", "Dropped: b\n- a", ""},
      {"- a\nDropped packets", "- a\nDropped packets", ""},
      {"- Dropped: b\ntext", "- Dropped: b\ntext", ""},
      {"```md\n- a\nDropped: b\n```", "```md\n- a\n```", "b"},
      {"```md\n- a\n```\nDropped: b", "```md\n- a\n```", "b"},
      {"- a\n```\nDropped: b\n```", "- a\n```\nDropped: b\n```", ""}};
  for (const auto& [reply, document, dropped] : cases) {
    INFO(reply);
    const auto got = take_dropped(reply);
    CHECK(trim(got.document) == trim(document));
    CHECK(trim(got.dropped) == trim(dropped));
  }
  CHECK(named_insights("[i3, i7], `i12`; hi5, i, iOS9, i1234567890")
        == std::set<std::uint64_t>{3, 7, 12});
}

TEST_CASE("any bytes are read, and what is kept unchanged is never lost") {
  const std::string_view alphabet = "`\"'5 3a.,-()\n*%s\xe2\x80\x9c\x9d\xc3i:";
  rng draw{rng_key(1, "facts")};
  for (int n = 0; n < 500; ++n) {
    std::string text;
    for (std::size_t i = 0; i < 60; ++i)
      text += alphabet[draw.below(alphabet.size())];
    INFO(text);
    CHECK(lost_facts(text, text).empty());
    const auto got = take_dropped(text);
    CHECK(got.document.size() <= text.size());
    named_insights(text);
  }
}

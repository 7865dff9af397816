#include "base/rng.hpp"
#include "base/text.hpp"
#include "kb/diff.hpp"
#include "kb/difference.hpp"
#include "tests/kb/support.hpp"

#include <catch2/catch.hpp>

#include <cstdio>

using namespace brewery;
using namespace brewery::test;

namespace {

std::string diff(std::string_view a, std::string_view b,
                 std::size_t context = 3) {
  return unified_diff(a, b, "a", "b", context);
}

/// What `patch` does, without tolerance: every context line must match.
std::string patched(const std::string& before, const std::string& patch) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < before.size();) {
    const auto end = std::min(before.find('\n', at), before.size() - 1);
    lines.push_back(before.substr(at, end + 1 - at));
    at = end + 1;
  }
  std::string out;
  std::size_t next = 0;
  bool in_hunk = false;
  auto parts = split(patch, '\n');
  parts.pop_back(); // after the last line feed
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string line{parts[i]};
    std::size_t first = 0, count = 1;
    if (line.starts_with("@@")) {
      in_hunk = true;
      std::sscanf(line.c_str(), "@@ -%zu,%zu", &first, &count);
      const std::size_t start = count == 0 ? first : first - 1;
      while (next < start)
        out += lines.at(next++);
      continue;
    }
    if (!in_hunk || line.starts_with("\\")) continue;
    const bool cut = i + 1 < parts.size() && parts[i + 1].starts_with("\\");
    const std::string text = line.substr(1) + (cut ? "" : "\n");
    if (line[0] != '+') REQUIRE(lines.at(next++) == text);
    if (line[0] != '-') out += text;
  }
  while (next < lines.size())
    out += lines.at(next++);
  return out;
}

/// By the definition.
std::size_t longest_common(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return 0;
  std::vector<std::size_t> above(b.size() + 1), here(b.size() + 1);
  for (const char x : a) {
    for (std::size_t j = 0; j < b.size(); ++j)
      here[j + 1] = x == b[j] ? above[j] + 1 : std::max(above[j + 1], here[j]);
    above = here;
  }
  return above.back();
}

} // namespace

TEST_CASE("equal texts have no difference") {
  CHECK(diff("", "") == "");
  CHECK(diff("a\nb\n", "a\nb\n") == "");
}

TEST_CASE("a changed line is shown between its neighbours") {
  CHECK(diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n", 1)
        == "--- a\n+++ b\n@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n");
}

TEST_CASE("additions to and removals of everything name line 0") {
  CHECK(diff("", "x\n") == "--- a\n+++ b\n@@ -0,0 +1 @@\n+x\n");
  CHECK(diff("x\ny\n", "") == "--- a\n+++ b\n@@ -1,2 +0,0 @@\n-x\n-y\n");
}

TEST_CASE("a missing last line feed is a difference") {
  CHECK(diff("x", "x\n")
        == "--- a\n+++ b\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n");
}

TEST_CASE("distant changes get hunks of their own") {
  std::string before, after;
  for (int i = 0; i < 30; ++i) {
    before += std::to_string(i) + "\n";
    after += (i == 2 || i == 25 ? "new\n" : std::to_string(i) + "\n");
  }
  const auto text = diff(before, after);
  CHECK(contains(text, "@@ -1,6 +1,6 @@"));
  CHECK(contains(text, "@@ -23,7 +23,7 @@"));
}

TEST_CASE("applying a difference gives the other text") {
  const auto seed = GENERATE(range(1, 101));
  INFO("seed " << seed);
  rng draw{rng_key(static_cast<std::uint64_t>(seed), "diff")};
  const auto text = [&draw] {
    std::string out;
    for (std::size_t i = 0, n = draw.below(25); i < n; ++i)
      out += std::string(1, static_cast<char>('a' + draw.below(4))) + "\n";
    if (!out.empty() && draw.uniform() < 0.3) out.pop_back();
    return out;
  };
  const auto before = text();
  const auto after = text();
  const std::size_t context = draw.below(4);
  const auto patch = diff(before, after, context);
  INFO(patch);
  if (!patch.empty()) CHECK(patched(before, patch) == after);
  CHECK(patch.empty() == (before == after));
}

TEST_CASE("where two edits are as short, lines are removed before added") {
  CHECK(diff("a\nb\n", "b\na\n")
        == "--- a\n+++ b\n@@ -1,2 +1,2 @@\n-a\n b\n+a\n");
  CHECK(diff("a\nb\n", "c\nd\n")
        == "--- a\n+++ b\n@@ -1,2 +1,2 @@\n-a\n-b\n+c\n+d\n");
}

TEST_CASE("as many lines are kept as two texts have in common") {
  const auto seed = GENERATE(range(1, 101));
  INFO("seed " << seed);
  rng draw{rng_key(static_cast<std::uint64_t>(seed), "shortest")};
  const auto text = [&draw] {
    std::string out;
    for (std::size_t i = 0, n = draw.below(15); i < n; ++i)
      out += static_cast<char>('a' + draw.below(4));
    return out;
  };
  const auto lines = [](const std::string& letters) {
    std::string out;
    for (const char c : letters)
      out += std::string(1, c) + "\n";
    return out;
  };
  const auto a = text();
  const auto b = text();
  const auto patch = diff(lines(a), lines(b), 100);
  std::size_t edits = 0;
  for (const auto line : split(patch, '\n'))
    if (line.size() == 2 && line[0] != ' ') ++edits;
  CHECK(edits == a.size() + b.size() - 2 * longest_common(a, b));
}

TEST_CASE("changes are one hunk when their context meets") {
  const auto hunks = [](int second) {
    std::string before, after;
    for (int i = 0; i < 20; ++i) {
      before += std::to_string(i) + "\n";
      after += i == 2 || i == second ? "new\n" : std::to_string(i) + "\n";
    }
    const auto patch = diff(before, after, 2);
    return split(patch, '@').size() / 4; // "@@ ... @@"
  };
  CHECK(hunks(7) == 1); // four equal lines between them, two of each
  CHECK(hunks(8) == 2);
}

TEST_CASE("without context a hunk has the changed lines alone") {
  CHECK(diff("a\nb\nc\n", "a\nb\nx\nc\n", 0)
        == "--- a\n+++ b\n@@ -2,0 +3 @@\n+x\n");
  CHECK(diff("a\nb\nc\n", "a\nc\n", 0) == "--- a\n+++ b\n@@ -2 +1,0 @@\n-b\n");
}

TEST_CASE("texts too long for the exact way are replaced in the middle") {
  std::string before = "head\n", after = "head\n";
  for (int i = 0; i < 6000; ++i) {
    before += "a" + std::to_string(i) + "\n";
    after += "b" + std::to_string(i) + "\n";
  }
  // What is common in between is given up, what is at the ends is not.
  for (auto* text : {&before, &after})
    *text +=
        "common\n" + std::string{text == &before ? "c\n" : "d\n"} + "tail\n";
  const auto patch = diff(before, after);
  CHECK(patched(before, patch) == after);
  CHECK(contains(patch, "\n-common\n"));
  CHECK(contains(patch, "\n+common\n"));
  CHECK(contains(patch, "\n tail\n"));
  CHECK(contains(patch, "\n head\n"));
}

TEST_CASE("knowledge bases of one run differ by title, then by number") {
  const auto before = make_kb({{{0}, "same", doc("x\n")},
                               {{1}, "old title", doc("a\n")},
                               {{2}, "gone", doc("b\n")}});
  const auto after = make_kb({{{0}, "same", doc("x\n")},
                              {{1}, "new title", doc("aa\n")},
                              {{3}, "fresh", doc("c\n")}});
  const auto changes = difference(before, after, true);
  REQUIRE(changes.size() == 3);
  CHECK(changes[0].kind == change_kind::changed);
  CHECK(changes[0].title == "new title");
  CHECK(contains(changes[0].diff, "-a\n+aa\n"));
  CHECK(changes[1].kind == change_kind::removed);
  CHECK(contains(changes[1].diff, "+++ /dev/null"));
  CHECK(changes[2].kind == change_kind::added);
  CHECK(contains(changes[2].diff, "--- /dev/null"));
  const auto text = to_text(changes);
  CHECK(contains(text, "changed 01 new title\n"));
  CHECK(contains(text, "removed 02 gone\n"));
  CHECK(contains(text, "added 03 fresh\n"));
  CHECK(difference(after, after, true).empty());
}

TEST_CASE("documents of other runs are compared by title alone") {
  const auto before = make_kb({{{0}, "Slow data", doc("a\n")},
                               {{1}, "Roaming", doc("b\n")},
                               {{2}, "Fan", doc("c\n")}});
  const auto after = make_kb({{{0}, "fan", doc("cc\n")},
                              {{1}, "No signal", doc("d\n")},
                              {{2}, " slow  Data", doc("a\n")}});
  const auto text = to_text(difference(before, after, false));
  CHECK(contains(text, "changed 00 fan (before: 02)\n"));
  CHECK(contains(text, "-c\n+cc\n"));
  CHECK(contains(text, "added 01 No signal\n"));
  // Of one number, what went stands before what came.
  CHECK(text.find("removed 01 Roaming\n") < text.find("added 01"));
  CHECK_FALSE(contains(text, "low")); // the same under another number
}

TEST_CASE("of documents with one title those with one number are compared") {
  const auto before =
      make_kb({{{0}, "Fan", doc("a\n")}, {{1}, "Fan", doc("b\n")}});
  const auto after =
      make_kb({{{1}, "Fan", doc("b\n")}, {{2}, "Fan", doc("aa\n")}});
  const auto changes = difference(before, after, false);
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].concept_ref == concept_id{2});
  CHECK(changes[0].before_ref == concept_id{0});
}

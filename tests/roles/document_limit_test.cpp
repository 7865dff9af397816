#include "base/rng.hpp"
#include "base/text.hpp"
#include "roles/model/documents/document_limit.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace brewery;

namespace {

const insight_support support{{{"many"}, 9}, {{"few"}, 2}, {{"one"}, 1}};

const integrate_result long_document{{"id"},
                                     R"(# Fan

**When to use**

- Many rollouts say so.
- Few say so,
  in two lines.

### How to perform

1. One says so.
2. Nobody says so.

```
code()
```

### Example

- Alone in its part.
)",
                                     {{5, {{"many"}}},
                                      {7, {{"few"}}},
                                      {11, {{"one"}}},
                                      {20, {{"one"}, {"few"}}}}};

std::string cut_to(std::size_t bytes) {
  const auto made = shortened(long_document, support, bytes);
  return made ? made->body : "nothing";
}

bool has(const std::string& body, std::string_view text) {
  return body.find(text) != std::string::npos;
}

} // namespace

TEST_CASE("a document that fits stays as it is") {
  const auto made =
      shortened(long_document, support, long_document.body.size());
  REQUIRE(made);
  CHECK(*made == long_document);
}

TEST_CASE("points go by support, of equal ones the last first") {
  const std::vector<std::string> order{"code()", "Nobody", "Few"};
  auto body = long_document.body;
  for (std::size_t gone = 0; gone < order.size(); ++gone) {
    body = cut_to(body.size() - 1);
    INFO(body);
    for (std::size_t i = 0; i < order.size(); ++i)
      CHECK(has(body, order[i]) == (i > gone));
    CHECK(has(body, "in two lines") == has(body, "Few"));
  }
  CHECK(has(body, "Many"));
  CHECK(has(body, "Alone in its part"));
}

TEST_CASE("the last point of each part stays") {
  CHECK(cut_to(1) == "nothing");
  std::size_t bytes = long_document.body.size();
  std::string body = long_document.body;
  while (cut_to(bytes) != "nothing")
    body = cut_to(bytes--);
  for (const auto* kept :
       {"# Fan", "**When to use**", "Many", "### How to perform", "One says so",
        "### Example", "Alone in its part"})
    CHECK(has(body, kept));
  CHECK_FALSE(has(body, "\n\n\n"));
}

TEST_CASE("evidence follows its line, and goes with it") {
  for (std::size_t bytes = 100; bytes < long_document.body.size(); ++bytes) {
    const auto made = shortened(long_document, support, bytes);
    if (!made) continue;
    CHECK(made->body.size() <= bytes);
    const auto lines = split(made->body, '\n');
    const auto before = split(long_document.body, '\n');
    for (const auto& entry : made->evidence) {
      const auto& old = *std::find_if(
          long_document.evidence.begin(), long_document.evidence.end(),
          [&](const auto& e) { return e.insights == entry.insights; });
      CHECK(lines.at(entry.line - 1) == before.at(old.line - 1));
    }
  }
}

TEST_CASE("any text can be cut without losing its limit") {
  const std::vector<std::string> pieces{"- a\n", "\n",     "```\n", "# h\n",
                                        "  b\n", "1. c\n", "text\n"};
  rng draw{rng_key(1, "cut")};
  for (int i = 0; i < 2000; ++i) {
    integrate_result made;
    const auto count = draw.below(20);
    for (std::uint64_t n = 0; n < count; ++n) {
      made.body += pieces[draw.below(pieces.size())];
      made.evidence.push_back({static_cast<std::uint32_t>(n + 1), {{"few"}}});
    }
    const auto most = draw.below(60);
    const auto cut = shortened(made, support, most);
    if (!cut) continue;
    CHECK(cut->body.size() <= most);
    const auto lines = split(cut->body, '\n');
    for (const auto& entry : cut->evidence)
      CHECK(entry.line <= lines.size());
  }
}

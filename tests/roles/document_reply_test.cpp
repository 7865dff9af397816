#include "base/rng.hpp"
#include "base/text.hpp"
#include "roles/model/document_reply.hpp"
#include "tests/roles/support.hpp"

using namespace brewery;

namespace {

const std::vector<insight_id> ids{{"id-1"}, {"id-2"}, {"id-3"}};

result<integrate_result> read(const std::string& reply,
                              const std::string& benchmark = "tau2-retail") {
  return read_document(reply, {"Refunds", document_parts(benchmark), ids});
}

const char* const good = R"(**When to use**

- A customer wants money back. [i1]

**Why to use it**
- Refunds cannot be undone [i2, i3].

### How to perform
1. Call `refund(order_id=items[i2])` once. [i3]
2. Look again.

### Additional actions
- Say how long it takes.

### Example
- Task: "Give me my money back."
)";

std::vector<std::string> lines_of(const std::string& body) {
  std::vector<std::string> out;
  for (const auto line : split(body, '\n'))
    out.emplace_back(line);
  return out;
}

} // namespace

TEST_CASE("citations become evidence of their lines and leave the text") {
  const auto got = read(good);
  if (!got) FAIL(got.error().message);
  CHECK(got->body == R"(# Refunds

**When to use**

- A customer wants money back.

**Why to use it**

- Refunds cannot be undone.

### How to perform

1. Call `refund(order_id=items[i2])` once.
2. Look again.

### Additional actions

- Say how long it takes.

### Example

- Task: "Give me my money back."
)");
  const auto lines = lines_of(got->body);
  REQUIRE(got->evidence.size() == 3);
  const auto cited = [&](std::size_t n, const std::string& line,
                         const std::vector<insight_id>& insights) {
    CHECK(lines.at(got->evidence[n].line - 1) == line);
    CHECK(got->evidence[n].insights == insights);
  };
  cited(0, "- A customer wants money back.", {ids[0]});
  cited(1, "- Refunds cannot be undone.", {ids[1], ids[2]});
  cited(2, "1. Call `refund(order_id=items[i2])` once.", {ids[2]});
}

TEST_CASE("a document that was read is read again as it is") {
  const auto once = read(good);
  REQUIRE(once);
  const auto twice = read(once->body);
  REQUIRE(twice);
  CHECK(twice->body == once->body);
  CHECK(twice->evidence.empty());
}

TEST_CASE(
    "spelling of headings, a title and a fence around all do not matter") {
  const auto plain = read(good)->body;
  const auto with = [](const char* from, const char* to) {
    return replace_all(good, from, to);
  };
  CHECK(read("# My title\n\n" + std::string{good})->body == plain);
  CHECK(read("```markdown\n" + std::string{good} + "```")->body == plain);
  CHECK(read(with("**When to use**\n", "## When To Use:\n"))->body == plain);
  CHECK(read(with("### Example", "**Example:**"))->body == plain);
  CHECK(read(with("**When to use**\n\n- A", "**When to use**: - A"))->body
        == plain);
  CHECK(read(replace_all(good, "\n", "\r\n"))->body == plain);
}

TEST_CASE("words before a document and a fence around it do not matter") {
  const std::string document = good;
  const auto plain = read(document)->body;
  const auto code = replace_all(good, "- Say how long it takes.",
                                "- So:\n\n```python\nx = 1\n```");
  for (const std::string before :
       {"", "Here is the document:\n", "Sure [i9].\n\n# My title\n\n"}) {
    INFO(before);
    CHECK(read(before + document)->body == plain);
    CHECK(read(before + "```markdown\n" + document + "```")->body == plain);
    CHECK(read(before + "```\n" + document + "```\nTell me more.")->body
          == plain);
    CHECK(read(before + "````md\n# Title\n" + code + "````")->body
          == read(code)->body);
    CHECK(read(before + "```markdown\n" + code + "```")->body
          == read(code)->body);
    // A fence that does not end: the reply may have been cut.
    CHECK_FALSE(read(before + "```markdown\n" + document));
    CHECK_FALSE(read(before + "```markdown\n" + code));
  }
  CHECK(read("```\nx = 1\n```\n" + document)->body == plain);
}

TEST_CASE("OSWorld's documents have no why") {
  const auto without = replace_all(
      good, "**Why to use it**\n- Refunds cannot be undone [i2, i3].\n\n", "");
  CHECK_FALSE(read(without));
  CHECK(read(without, "osworld"));
  CHECK(document_parts("osworld").size() == 4);
  CHECK(document_parts("tau2-telecom").size() == 5);
}

TEST_CASE("documents on spreadsheets say what to check before answering") {
  std::string reply;
  for (const auto& part : document_parts("spreadsheet"))
    reply += part.heading + "\n- Something [i1].\n\n";
  CHECK(reply.find("### Quality checks") != std::string::npos);
  CHECK(read(reply, "spreadsheet"));
  CHECK_FALSE(read(reply));
}

TEST_CASE("a document that is not whole is refused with the reason") {
  const auto with = [](const char* from, const char* to) {
    return replace_all(good, from, to);
  };
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "it is empty"},
      {" \n\n", "it is empty"},
      {"I cannot do that.", "it begins with \"I cannot do that.\""},
      {with("### Example", "### Samples"), "\"### Example\" is missing"},
      {with("### How to perform", "### How"),
       "\"### How to perform\" is missing before"},
      {with("### Additional actions", "### How to perform"),
       "\"### How to perform\" is there twice or out of order"},
      {with("- Say how long it takes.", ""), "\"### Additional actions\" is "
                                             "empty"},
      {with("- Task: \"Give me my money back.\"", ""), "\"### Example\" is "
                                                       "empty"},
      {with("- A customer wants money back. [i1]", "[i1]"),
       "\"**When to use**\" is empty"},
      {with("[i1]", "[i4]"), "[i4] names no insight; there are 3"},
      {with("[i1]", "[i1, i0]"), "[i0] names no insight"},
      {with("- Say how long it takes.", "```\ncode"),
       "a code fence is not closed"},
      {with("Look again.", std::string(200'001, 'x').c_str()),
       "at most 200000 are allowed"}};
  for (const auto& [reply, words] : cases) {
    INFO(words);
    const auto got = read(reply);
    REQUIRE_FALSE(got);
    CHECK(got.error().code == ec::malformed);
    INFO(got.error().message);
    CHECK(got.error().message.find(words) != std::string::npos);
  }
}

TEST_CASE("what only looks like a citation stays") {
  for (const std::string text :
       {"- See [link](x).", "- [x] done", "- a[i] is not one", "- [item] too",
        "- [i1", "- [i]", "- `row[i1]` and `[i2]`", "- [i9999999999]"}) {
    INFO(text);
    const auto got = read(replace_all(good, "- Say how long it takes.", text));
    REQUIRE(got);
    CHECK(got->body.find(text) != std::string::npos);
  }
}

TEST_CASE("code blocks are kept as they are") {
  const auto got = read(replace_all(
      good, "- Say how long it takes.",
      "- Like this: [i2]\n\n```python\nx = a [i1]\n\n\n### Example  \n```"));
  if (!got) FAIL(got.error().message);
  CHECK(got->body.find("```python\nx = a [i1]\n\n\n### Example  \n```\n")
        != std::string::npos);
}

TEST_CASE("a document of any reply has every part, or there is none") {
  const std::uint64_t seed = 4;
  rng draw{seed};
  for (int i = 0; i < 3000; ++i) {
    INFO("seed " << seed << ", round " << i);
    std::string reply = good;
    for (std::uint64_t n = draw.below(6); n > 0; --n) {
      const auto at = draw.below(reply.size());
      if (draw.below(2) == 0)
        reply[at] = static_cast<char>(draw.below(256));
      else
        reply.erase(at, draw.below(20));
      if (reply.empty()) break;
    }
    const auto got = read(reply);
    if (!got) continue;
    const auto lines = lines_of(got->body);
    CHECK(lines.front() == "# Refunds");
    for (const auto& part : document_parts("tau2-retail"))
      CHECK(std::count(lines.begin(), lines.end(), part.heading) >= 1);
    for (const auto& item : got->evidence) {
      REQUIRE(item.line >= 1);
      REQUIRE(item.line <= lines.size());
      CHECK_FALSE(lines[item.line - 1].empty());
    }
  }
}

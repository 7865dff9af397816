#include "kb/muse/memory_text.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::muse;

namespace {

memory_operation sop(std::string application, std::string operation,
                     std::vector<std::string> steps,
                     std::vector<std::string> preconditions = {},
                     std::vector<std::string> notes = {}) {
  return {.store = "procedural",
          .name = std::move(application),
          .operation = std::move(operation),
          .preconditions = std::move(preconditions),
          .texts = std::move(steps),
          .notes = std::move(notes)};
}

memory_operation note(std::string store, std::string name, std::string text) {
  return {.store = std::move(store),
          .name = std::move(name),
          .operation = {},
          .preconditions = {},
          .texts = {std::move(text)},
          .notes = {}};
}

brewery::muse::memory some_memory() {
  brewery::muse::memory out;
  const auto done =
      merge(out, {sop("sim", "seat it", {"Look.", "1. Seat."},
                      {"It is missing."}, {"Once."}),
                  sop("sim", "ask", {"Ask."}), sop("apn", "reset", {"Reset."}),
                  note("strategic", "two lines resist", "Clear the first one."),
                  note("strategic", "a line resists", "- Wait."),
                  note("tool", "toggle", "Look at the board after it.")});
  REQUIRE(done.refused.empty());
  REQUIRE(done.added.size() == 6);
  return out;
}

} // namespace

TEST_CASE("a memory is written as Markdown and read back byte for byte") {
  const auto all = some_memory();
  const auto texts = documents_of(all);
  REQUIRE(texts.size() == 4);
  CHECK(texts[0].starts_with("# Strategies\n\n## two lines resist\n\nClear"));
  CHECK(texts[2]
        == "# Application: sim\n\n## ask\n\nSteps:\n1. Ask.\n\n## seat it\n\n"
           "Preconditions:\n- It is missing.\nSteps:\n1. Look.\n2. 1. Seat.\n"
           "Notes:\n- Once.\n");
  brewery::muse::memory again;
  for (const auto& text : texts)
    REQUIRE(read_document(text, again));
  CHECK(again == all);
  CHECK(documents_of(again) == texts);
  CHECK(documents_of(brewery::muse::memory{}).empty());
}

TEST_CASE("what is not in the strict form is refused with its line") {
  const auto refusal = [](std::string_view text) {
    auto into = some_memory();
    const auto read = read_document(text, into);
    REQUIRE_FALSE(read);
    CHECK(into == some_memory());
    return read.error().message;
  };
  CHECK(refusal("")
        == "line 1: the first line is no title of a memory's "
           "document");
  CHECK(refusal("# Tools\n") == "line 2: there is no entry");
  CHECK(refusal("# Tools\n\n## x\n\ntext")
        == "line 5: not in the strict form, "
           "in which entries are sorted and lines are written one way only");
  CHECK(refusal("# Tools\n## x\n\ntext\n")
        == "line 2: an empty line is "
           "missing");
  CHECK(refusal("# Application: a\n\n## b\n\nNotes:\n- c\n")
        == "line 7: a procedure without steps");
  // Two steps, of which the second has the wrong number.
  CHECK(refusal("# Application: a\n\n## b\n\nSteps:\n1. c\n3. d\n")
        == "line 7: an empty line is missing");
  CHECK(refusal("# Application: a\n\n## c\n\nSteps:\n1. x\n\n## b\n\nSteps:\n"
                "1. x\n")
            .starts_with("line 3: not in the strict form"));
  CHECK(refusal("# Tools\n\n## toggle\n\nAnother text.\n")
        == "an entry of it is in another document of the memory too");
}

TEST_CASE("the outline names operations, and opening brings bodies") {
  const auto all = some_memory();
  CHECK(outline(all) == "- apn: reset\n- sim: ask; seat it\n");
  CHECK(open_procedures(all, "sim", {}) == application_text(all, "sim"));
  CHECK(open_procedures(all, "sim", {"ask", "eject"})
        == "\n## ask\n\nSteps:\n1. Ask.\nAbsent: sim has no operation "
           "\"eject\".\n");
  CHECK(open_procedures(all, "esim", {})
        == "Absent: there is no application \"esim\".\n");
  CHECK(note_on(all, "toggle") == "Look at the board after it.");
  CHECK(note_on(all, "set").empty());
}

TEST_CASE("a merge keeps the bounds and says what it refused") {
  auto all = some_memory();
  const auto before = all;
  const auto refused = [&](memory_operation what, memory_limits limits = {}) {
    const auto done = merge(all, {std::move(what)}, limits);
    CHECK(all == before);
    REQUIRE(done.refused.size() == 1);
    return done.refused.front();
  };
  CHECK(refused(note("strategic", "resists", "x"))
        == "strategic/resists: a dilemma has 2 to 6 words, not 1");
  CHECK(refused(note("strategic", "one more line", "x"), {.strategies = 2})
        == "strategic/one more line: there are 2 strategies already");
  CHECK(refused(sop("sim", "eject", {"x"}), {.operations = 2})
        == "procedural/sim/eject: its application has 2 operations already");
  CHECK(refused(sop("esim", "add", {"x"}), {.applications = 2})
        == "procedural/esim/add: there are 2 applications already");
  CHECK(
      refused(sop("sim", "eject", {std::string(100, 'x')}), {.body_bytes = 100})
      == "procedural/sim/eject: its application would have more than 100 "
         "bytes");
  CHECK(refused(sop("sim", "eject", {}))
        == "procedural/sim/eject: it has no "
           "steps");
  CHECK(refused(sop("sim", "eject", {"two\nlines"}))
        == "procedural/sim/eject: a text has a control character");
  CHECK(refused(sop("sim", "# x", {"y"}))
        == "procedural/sim/# x: a text begins with \"#\"");
  CHECK(refused(note("tool", "x", "\xff")) == "tool/x: a text is not UTF-8");
  CHECK(refused(note("grades", "x", "y"))
        == "grades/x: there is no such store");
  // What is there already is no change.
  CHECK(merge(all, {sop("sim", "ask", {"Ask."})}).changed.empty());
  const auto done = merge(all, {sop("sim", "ask", {"Ask twice."})});
  CHECK(done.changed == std::vector<std::string>{"procedural/sim/ask"});
}

TEST_CASE("entries are forgotten by name") {
  auto all = some_memory();
  CHECK(forget(all, {"procedural/sim/ask", "procedural/sim/eject",
                     "strategic/two lines resist", "tool/toggle"})
        == std::vector<std::string>{
            "procedural/sim/ask", "strategic/two lines resist", "tool/toggle"});
  CHECK(outline(all) == "- apn: reset\n- sim: seat it\n");
  CHECK(all.strategies.size() == 1);
  CHECK(all.tools.empty());
}

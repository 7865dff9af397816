#include "roles/procedural/task_facts.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

constexpr const char* ticket =
    "The customer cannot get online. Customer name: Ada Byron, phone number: "
    "555-0100, current location: abroad. They want 2.5 GB of data at most.";

constexpr const char* lines_of_ada =
    R"([{"line_id": "L7", "phone_number": "555-0199", "status": "Active"},
        {"line_id": "L8", "phone_number": "555-0100", "status": "Active"}])";

const observation_cache parsed;

task_facts opened() {
  task_facts facts{ticket, parsed};
  facts.observe(R"({"customer_id": "C1", "full_name": "Ada Byron",
                    "line_ids": ["L7", "L8"]})");
  facts.observe(lines_of_ada);
  return facts;
}

std::vector<json> values(std::initializer_list<const char*> texts) {
  return {texts.begin(), texts.end()};
}

tool_parameter parameter(std::string name, std::string type = "string",
                         std::string description = "") {
  return {std::move(name), std::move(type), std::move(description), {}, true};
}

} // namespace

TEST_CASE("the instruction states facts and contexts") {
  const task_facts facts{ticket, parsed};
  CHECK(facts.fill("phone_number") == "555-0100");
  CHECK(facts.fill("task") == ticket);
  CHECK(facts.fill("colour").is_null());
  CHECK(facts.contexts()
        == std::vector<std::string>{
            "The customer cannot get online",
            "They want 2.5 GB of data at most", "Customer name: Ada Byron",
            "phone number: 555-0100", "current location: abroad"});
}

TEST_CASE("a fact that a record repeats is identity, not context") {
  const auto facts = opened();
  CHECK(facts.contexts()
        == std::vector<std::string>{"The customer cannot get online",
                                    "They want 2.5 GB of data at most",
                                    "current location: abroad"});
}

TEST_CASE("half a sentence with a colon is no fact") {
  const task_facts facts{"I tried it all and it said this to me: nothing",
                         parsed};
  CHECK(facts.contexts()
        == std::vector<std::string>{
            "I tried it all and it said this to me: nothing"});
}

TEST_CASE("records that repeat a stated value are in focus") {
  const auto facts = opened();
  CHECK(facts.fill("customer_id") == "C1");
  CHECK(facts.fill("line_id") == "L8");
  CHECK(facts.about_focus(json{{"line_id", "L8"}}));
  CHECK_FALSE(facts.about_focus(json{{"line_id", "L7"}}));
  CHECK_FALSE(facts.about_focus(json{{"line_id", "L8"}, {"bill_id", "B1"}}));
  CHECK(facts.about_focus(json{{"name", "anything"}, {"n", 3}}));
  CHECK(facts.about_focus(json::object()));
}

TEST_CASE("a call is generalised by what names the case's records") {
  const auto facts = opened();
  CHECK(to_text(facts.generalise(
            "refuel", json{{"line_id", "L8"}, {"gb", 2.0}, {"mode", "fast"}}))
        == R"(refuel(line_id=<line_id>, gb=2.0, mode="fast"))");
  CHECK(to_text(facts.generalise("find", json{{"phone_number", "555-0100"}}))
        == "find(phone_number=<phone_number>)");
  CHECK(to_text(facts.generalise("note", json{{"summary", ticket}}))
        == "note(summary=<task>)");
  // Equal values under another name are a coincidence.
  CHECK(to_text(facts.generalise("find", json{{"colour", "L8"}}))
        == R"(find(colour="L8"))");
  CHECK(to_text(facts.generalise("odd", json::array())) == "odd()");
}

TEST_CASE("a generalised call fits the next case") {
  const auto text = to_text(
      opened().generalise("refuel", json{{"line_id", "L8"}, {"gb", 2.0}}));
  task_facts other{"Phone number: 555-7. Help.", parsed};
  const auto call = parse_call(text);
  REQUIRE(call);
  CHECK_FALSE(other.fill(*call)); // no line is known yet
  other.observe(R"({"line_id": "L99", "phone_number": "555-7"})");
  REQUIRE(other.fill(*call));
  CHECK(*other.fill(*call) == json{{"line_id", "L99"}, {"gb", 2.0}});
}

TEST_CASE("without focus a placeholder is the record listed last") {
  task_facts facts{"Help.", parsed};
  facts.observe(R"({"bill_id": "B1"})");
  facts.observe(R"({"bill_id": "B2"})");
  CHECK(facts.fill("bill_id") == "B2");
}

TEST_CASE("candidates of a parameter come from its best source") {
  const auto facts = opened();
  SECTION("its choices") {
    auto level = parameter("level");
    level.choices = {"low", "high"};
    CHECK(facts.candidates(level, true) == values({"low", "high"}));
  }
  SECTION("both truths") {
    CHECK(facts.candidates(parameter("on", "boolean"), false)
          == std::vector<json>{true, false});
  }
  SECTION("records in focus, then the others when trying") {
    CHECK(facts.candidates(parameter("line_id"), true) == values({"L8"}));
    CHECK(facts.candidates(parameter("line_id"), false)
          == values({"L8", "L7"}));
  }
  SECTION("stated facts") {
    CHECK(facts.candidates(parameter("phone_number"), true)
          == values({"555-0100"}));
  }
  SECTION("numbers of the instruction with their unit, then small ones") {
    const auto amount = parameter("gb_amount", "number");
    CHECK(facts.candidates(amount, true) == std::vector<json>{2.5});
    CHECK(facts.candidates(amount, false)
          == std::vector<json>{2.5, 1.0, 2.0, 5.0});
    const auto days = facts.candidates(parameter("days", "integer"), true);
    CHECK(days == std::vector<json>{1, 2, 5});
  }
  SECTION("nothing for what cannot be guessed") {
    CHECK(facts.candidates(parameter("x", "object"), false).empty());
    CHECK(facts.candidates(parameter("colour"), false).empty());
  }
}

TEST_CASE("lists that a report names are candidates") {
  task_facts facts{"Help.", parsed};
  facts.observe("Installed apps: mail, maps\nMood: rather good");
  CHECK(facts.candidates(parameter("app_name"), true)
        == values({"mail", "maps"}));
  facts.observe("Installed apps: mail");
  CHECK(facts.candidates(parameter("app_name"), true) == values({"mail"}));
  CHECK(facts.candidates(parameter("mode", "string", "One of the modes: a, b"),
                         false)
        == values({"a", "b"}));
}

TEST_CASE("what a tool lists comes before what a report names") {
  task_facts file{"Phone: 1.", parsed};
  file.observe("App mail has permission for: calls");
  const tool_parameter listed{
      "permission", "string", "One of: calls, files, camera.", {}};
  CHECK(file.candidates(listed, true)
        == std::vector<json>{"calls", "files", "camera"});
  CHECK(file.candidates(listed, false)
        == std::vector<json>{"calls", "files", "camera"});
  const tool_parameter bare{"permission", "string", "What to allow.", {}};
  CHECK(file.candidates(bare, true) == std::vector<json>{"calls"});
}

TEST_CASE("odd observations are taken in without harm") {
  task_facts facts{"", parsed};
  CHECK(facts.contexts().empty());
  for (const auto* text : {"", "null", "[1, [2], {\"a\": null}]", "{\"a\": {}}",
                           ": ", "a: ", "{", "\xff\xfe: \xff, x"})
    facts.observe(text);
  CHECK(facts.fill("a").is_null());
}

TEST_CASE("an amount that the task states becomes a placeholder") {
  const auto facts = opened(); // "They want 2.5 GB of data at most."
  const auto call =
      facts.generalise("refuel", json{{"gb_amount", 2.5}, {"price", 2.5}});
  CHECK(to_text(call)
        == "refuel(gb_amount=<GB that the task states>, price=2.5)");
  const task_facts other{"Add 4 GB.", parsed};
  REQUIRE(other.fill(*parse_call(to_text(call))));
  CHECK(*other.fill(*parse_call(to_text(call)))
        == json{{"gb_amount", 4}, {"price", 2.5}});
  CHECK(facts.lines_of(R"({"added_gb": "2.5", "left_mb": 2.5})")
        == std::vector<std::string>{"added_gb: <GB that the task states>",
                                    "left_mb: 2.5"});
  CHECK_FALSE(task_facts{"Help.", parsed}.fill(*parse_call(to_text(call))));
  // Two amounts with one unit: it cannot tell which is meant.
  const task_facts two{"Use 2 GB or 3 GB.", parsed};
  CHECK(to_text(two.generalise("refuel", json{{"gb", 3}})) == "refuel(gb=3)");
}

TEST_CASE("a record that stands out by a word is named by it") {
  const auto bills = [](const char* first, const char* second) {
    return json::array({{{"bill_id", first},
                         {"owner_id", "C1"},
                         {"due", "2025-03-01"},
                         {"status", "Overdue"}},
                        {{"bill_id", second},
                         {"owner_id", "C1"},
                         {"due", "2025-02-01"},
                         {"status", "Paid"}},
                        {{"bill_id", "B0"},
                         {"owner_id", "C1"},
                         {"due", "2025-01-01"},
                         {"status", "Paid"}}})
        .dump();
  };
  task_facts one{"Help.", parsed}, other{"Help.", parsed};
  one.observe(bills("B7", "B8"));
  other.observe(bills("B3", "B4"));
  const auto call = to_text(one.generalise("ask", json{{"bill_id", "B7"}}));
  CHECK(call == "ask(bill_id=<bill_id where status is Overdue>)");
  REQUIRE(parse_call(call));
  CHECK(*other.fill(*parse_call(call)) == json{{"bill_id", "B3"}});
  // Several are paid: no word tells them apart.
  CHECK(to_text(one.generalise("ask", json{{"bill_id", "B8"}}))
        == "ask(bill_id=<bill_id>)");
  // When trying, records that stand out come first.
  CHECK(one.candidates(parameter("bill_id"), true) == values({"B7"}));
  CHECK(one.candidates(parameter("bill_id"), false).size() == 3);
  // A check keeps its name when the record's state changes.
  CHECK(to_text(one.generalise_check(*parse_call("paid(bill_id=\"B7\")")))
        == "paid(bill_id=<bill_id>)");
}

#include "roles/procedural/procedural_reflector.hpp"
#include "tests/roles/support.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

const procedural_reflector role;

std::vector<insight> reflect(const std::vector<trajectory_step>& steps,
                             const grade_report& grade = {1.0, {}},
                             const std::string& instruction = "Help.") {
  const task_info task{{"t"}, instruction};
  return *role.reflect({task, steps, grade}, {}, any_job());
}

std::vector<insight> of_kind(const std::vector<insight>& all,
                             const std::string& kind) {
  std::vector<insight> out;
  for (const auto& item : all)
    if (item.fact.kind == kind) out.push_back(item);
  return out;
}

} // namespace

TEST_CASE("a change seen between two looks is an effect") {
  const auto made =
      of_kind(reflect({observed("check_fan", "Fan: off\nPump: on"),
                       changed("toggle_fan"),
                       observed("check_fan", "Fan: on\nPump: on")}),
              "effect");
  REQUIRE(made.size() == 1);
  const auto& item = made.front();
  CHECK(item.topic == "fan");
  CHECK(item.fact.observation == "check_fan()");
  CHECK(item.fact.before == lines{"Fan: off", "Pump: on"});
  CHECK(item.fact.after == lines{"Fan: on", "Pump: on"});
  CHECK(item.fact.actions == lines{"toggle_fan()"});
  CHECK(item.fact.quiet.empty());
  CHECK(item.steps == std::vector<std::uint32_t>{1, 2});
  CHECK(item.sentence
        == "After `toggle_fan()`, `check_fan()` changed from \"Fan: off\" to "
           "\"Fan: on\".");
  CHECK(item.id == identity(item));
}

TEST_CASE("a call that changed nothing is an effect all the same") {
  const auto made =
      of_kind(reflect({observed("check_fan", "Fan: off"), changed("kick"),
                       observed("check_fan", "Fan: off")}),
              "effect");
  REQUIRE(made.size() == 1);
  CHECK(made.front().sentence
        == "After `kick()`, `check_fan()` still showed \"Fan: off\".");
}

TEST_CASE("looks without a change in between teach no effect") {
  CHECK(
      of_kind(reflect({observed("a", "x: 1"), observed("a", "x: 2")}), "effect")
          .empty());
  CHECK(of_kind(reflect({changed("set"), observed("a", "x: 2")}), "effect")
            .empty());
}

TEST_CASE("a change that many calls may have caused is no effect") {
  const auto of_two = of_kind(reflect({observed("a", "x: 1"), changed("p"),
                                       changed("q"), observed("a", "x: 2")}),
                              "effect");
  REQUIRE(of_two.size() == 1);
  CHECK(of_two.front().fact.actions == lines{"p()", "q()"});
  CHECK(of_kind(reflect({observed("a", "x: 1"), changed("p"), changed("q"),
                         changed("r"), observed("a", "x: 2")}),
                "effect")
            .empty());
}

TEST_CASE("earlier calls that showed nothing are named as quiet") {
  const auto made = of_kind(
      reflect({observed("a", "x: 1"), changed("p"), observed("a", "x: 1"),
               changed("q"), observed("a", "x: 2"), changed("r"),
               observed("a", "x: 3")}),
      "effect");
  REQUIRE(made.size() == 3);
  CHECK(made[1].fact.actions == lines{"q()"});
  CHECK(made[1].fact.quiet == lines{"p()"});
  CHECK(made[2].fact.quiet == lines{"p()"}); // q was seen to do something
}

TEST_CASE("the end of a rollout is an outcome for every check and the task") {
  const grade_report grade{0.0, {{"fan runs", true}, {"pump runs", false}}};
  const auto made =
      of_kind(reflect({observed("a", "Fan: on"), observed("b", "Pump: off"),
                       changed("p"), observed("a", "Fan: on"),
                       observed("b", "Pump: off")},
                      grade, "Fix it. Place: inside."),
              "outcome");
  REQUIRE(made.size() == 6); // two observations, two checks and the whole
  std::map<std::string, int> met, missed;
  for (const auto& item : made) {
    ++(item.fact.met ? met : missed)[item.fact.check];
    CHECK(item.fact.quiet == lines{"p()"});
    CHECK(item.fact.context == lines{"Fix it", "Place: inside"});
    CHECK(item.fact.before.empty()); // the end knows no before
  }
  CHECK(met == std::map<std::string, int>{{"fan runs", 2}});
  CHECK(missed
        == std::map<std::string, int>{{"pump runs", 2}, {whole_task_check, 2}});
}

TEST_CASE("a look that is out of date says nothing about the end") {
  const auto made =
      of_kind(reflect({observed("a", "x: 1"), observed("b", "y: 1"),
                       changed("p"), observed("b", "y: 1")}),
              "outcome");
  REQUIRE(made.size() == 1);
  CHECK(made.front().fact.observation == "b()");
}

TEST_CASE("failed calls and unreadable arguments teach nothing") {
  auto refused = changed("p");
  refused.failed = true;
  auto broken = observed("a", "x: 3");
  broken.arguments = "{not json";
  const auto made =
      reflect({observed("a", "x: 1"), refused, observed("a", "x: 1"), broken});
  CHECK(of_kind(made, "effect").empty());
  REQUIRE(of_kind(made, "outcome").size() == 1);
  CHECK(of_kind(made, "outcome").front().fact.after == lines{"x: 1"});
}

TEST_CASE("the same event at two customers is one insight") {
  const auto of_customer = [](const std::string& phone,
                              const std::string& line) {
    const auto arguments = json{{"line_id", line}}.dump();
    return reflect(
        {observed("find",
                  json{{"line_id", line}, {"phone_number", phone}}.dump()),
         observed("check", "Data: used up", arguments),
         changed("refuel", json{{"line_id", line}, {"gb", 2}}.dump()),
         observed("check", "Data: fine", arguments)},
        {1.0, {}}, "No data. Phone number: " + phone + ".");
  };
  const auto one = of_customer("555-1", "L1");
  const auto two = of_customer("555-2", "L2");
  const auto first = of_kind(one, "effect");
  REQUIRE(first.size() == 1);
  CHECK(first.front().fact.observation == "check(line_id=<line_id>)");
  CHECK(first.front().fact.actions == lines{"refuel(line_id=<line_id>, gb=2)"});
  CHECK(first.front().topic == "check of line");
  CHECK(of_kind(two, "effect").front().id == first.front().id);
  for (const auto& item : of_kind(one, "outcome"))
    if (item.fact.observation == first.front().fact.observation)
      CHECK(item.fact.context == lines{"No data"});
}

TEST_CASE("a check of the case's records is one check for all cases") {
  const auto checks = [](const std::string& line, const std::string& check) {
    std::set<std::string> out;
    for (const auto& item :
         of_kind(reflect({observed("find", json{{"line_id", line},
                                                {"phone_number", "555-1"}}
                                               .dump())},
                         {0.0, {{check, true}}}, "Phone number: 555-1."),
                 "outcome"))
      out.insert(item.fact.check);
    return out;
  };
  const auto expected = std::set<std::string>{
      "is_paid(bill_line_id=<line_id>, wanted=true)", whole_task_check};
  CHECK(checks("L1", R"(is_paid(bill_line_id="L1", wanted=true))") == expected);
  CHECK(checks("L2", R"(is_paid(bill_line_id="L2", wanted=true))") == expected);
  CHECK(checks("L1", "it (is) odd")
        == std::set<std::string>{"it (is) odd", whole_task_check});
}

TEST_CASE("what other records show is no insight about the task") {
  const auto made =
      reflect({observed("find", R"([{"line_id": "L1", "phone_number": "555-1"},
                          {"line_id": "L2", "phone_number": "555-2"}])"),
               observed("check", "Data: fine", R"({"line_id": "L2"})")},
              {1.0, {}}, "Phone number: 555-1.");
  for (const auto& item : made)
    CHECK(item.fact.observation == "find()");
}

TEST_CASE("insights of equal content have equal ids, others differ") {
  const auto base = *outcome(1, "a()", {"x: 1"}, "c", true).item;
  CHECK(outcome(7, "a()", {"x: 1"}, "c", true).item->id == base.id);
  CHECK(outcome(1, "a()", {"x: 1"}, "c", false).item->id != base.id);
  CHECK(outcome(1, "a()", {"x: 2"}, "c", true).item->id != base.id);
  CHECK(outcome(1, "a()", {"x: 1"}, "d", true).item->id != base.id);
  CHECK(outcome(1, "a()", {"x: 1"}, "c", true, {"k"}).item->id != base.id);
  CHECK(outcome(1, "a()", {"x: 1"}, "c", true, {}, {"k"}).item->id != base.id);
  CHECK(topic_of("check_x(line_id=<line_id>, app=\"mail\", n=3)")
        == "x of line and mail");
  CHECK(topic_of("no call") == "no call");
}

TEST_CASE("an empty trajectory gives no insight") {
  CHECK(reflect({}).empty());
}

TEST_CASE("a topic is what a person would call the report") {
  CHECK(topic_of("check_sim_status()") == "sim status");
  CHECK(topic_of("get_details_by_id(id=<line_id>)") == "details of line");
  CHECK(topic_of("get_bills_for_customer(customer_id=<customer_id>)")
        == "bills for customer");
  CHECK(topic_of("check_app_status(app_name=\"maps\")")
        == "app status of maps");
}

TEST_CASE("tasks that state different amounts teach the same") {
  const auto of_task = [](const std::string& amount) {
    return reflect({observed("usage", json{{"added_gb", 0.0}}.dump()),
                    changed("top_up", R"({"gb": )" + amount + "}"),
                    observed("usage", R"({"added_gb": )" + amount + "}")},
                   {1.0, {{"has_added(expected=" + amount + ")", true}}},
                   "No data. Allowed: top up " + amount + " GB of data.");
  };
  const auto two = of_task("2.0"), three = of_task("3.5");
  const auto effects = of_kind(two, "effect");
  REQUIRE(effects.size() == 1);
  CHECK(effects[0].fact.actions
        == lines{"top_up(gb=<GB that the task states>)"});
  CHECK(effects[0].fact.after == lines{"added_gb: <GB that the task states>"});
  CHECK(of_kind(three, "effect")[0].id == effects[0].id);
  CHECK(of_kind(two, "outcome")[0].fact.check
        == "has_added(expected=<GB that the task states>)");
}

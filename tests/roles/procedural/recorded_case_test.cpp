#include "roles/procedural/procedural_agent.hpp"
#include "roles/procedural/recorded_case.hpp"
#include "tests/roles/support.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

lines rules_of_record(const std::vector<trajectory_step>& steps,
                      const std::string& instruction = "The board is hot.") {
  lines out;
  for (const auto& placed :
       read_recorded_case(recorded_case({{"t"}, instruction, steps})).rules)
    out.push_back(placed.text);
  return out;
}

const std::vector<trajectory_step> cooled{
    observed("check_board", "Fan: off\nPump: on"), changed("toggle_fan"),
    observed("check_board", "Fan: on\nPump: on")};

} // namespace

TEST_CASE("a record says to do what it did where it saw the same") {
  CHECK(rules_of_record(cooled)
        == lines{"When `check_board()` shows \"Fan: off\": call "
                 "`toggle_fan()`. Expect \"Fan: on\"."});
}

TEST_CASE("a record does not say to repeat what came to nothing") {
  // Without a visible effect, or undone before the end.
  CHECK(rules_of_record({observed("check_board", "Fan: off"), changed("kick"),
                         observed("check_board", "Fan: off")})
            .empty());
  auto undone = cooled;
  undone.push_back(changed("toggle_fan"));
  undone.push_back(observed("check_board", "Fan: off\nPump: on"));
  CHECK(rules_of_record(undone).empty());
}

TEST_CASE("names of a record's own things become those of the task at hand") {
  const std::string args = R"({"line_id": "L1"})";
  CHECK(rules_of_record(
            {observed("get_lines",
                      R"([{"line_id": "L1", "phone_number": "555-1"}])"),
             observed("get_line", "State: off", args), changed("start", args),
             observed("get_line", "State: on", args)},
            "The line is dead. Phone number: 555-1.")
        == lines{"When `get_line(line_id=<line_id>)` shows \"State: off\": "
                 "call `start(line_id=<line_id>)`. Expect \"State: on\"."});
}

TEST_CASE("other documents, and damaged records, say nothing") {
  CHECK(read_recorded_case("").rules.empty());
  CHECK(read_recorded_case("1. When `look()` shows \"x\": call `poke()`.")
            .rules.empty());
  auto damaged = recorded_case({{"t"}, "Hot.", cooled});
  damaged.replace(damaged.find("\"answer\""), 8, "\"answers\"");
  CHECK(read_recorded_case(damaged).rules.empty());
}

TEST_CASE("the agent imitates a record only when it is shown as one") {
  const auto called = [](std::string_view method) {
    bool on = false;
    scripted_environment env{
        {reads("check_board"), writes("kick"), writes("toggle_fan")},
        [&on](std::string_view name, const json&) -> tool_result {
          if (name == "toggle_fan") on = !on;
          return {on ? "Fan: on" : "Fan: off", false};
        }};
    retrieval_session retrieval{
        library_of({recorded_case({{"t"}, "The board is hot.", cooled})}), 3};
    auto context = any_job();
    context.method = method;
    const task_info task{{"u"}, "My board is hot."};
    REQUIRE(procedural_agent{{.explore = false}, {}}.attempt(
        task, env, retrieval, 1, context));
    return env.called;
  };
  CHECK(called(methods::in_context)
        == lines{"check_board", "toggle_fan", "check_board"});
  CHECK(called(methods::plain) == lines{"check_board"});
}

#include "roles/procedural/procedural_agent.hpp"
#include "roles/procedural/step_back.hpp"
#include "tests/roles/support.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

tool_spec described(tool_spec tool, std::string text) {
  tool.description = std::move(text);
  return tool;
}

const std::vector<tool_spec> board_tools{
    described(reads("check_fan"), "Shows the cooling fan."),
    described(writes("toggle_fan"), "Starts the cooling fan; needs power."),
    described(writes("plug_in"), "Gives the device power."),
    described(writes("paint"), "Gives the device a colour.")};

} // namespace

TEST_CASE("the principle goes back from the objective to what it needs") {
  const step_back_principle found{"The cooling is dead.", board_tools};
  CHECK(found.weight("toggle_fan") == 1);
  CHECK(found.weight("plug_in") > 0);
  CHECK(found.weight("plug_in") < 1);
  CHECK(found.weight("paint") == 0);
  CHECK(found.weight("check_fan") == 0); // changes nothing
}

TEST_CASE("what the task is about comes first more often, all come") {
  const step_back_principle found{"The cooling is dead.", board_tools};
  std::map<std::string, int> first;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    rng draw{seed};
    const auto order = found.order(draw);
    REQUIRE(order.size() == 3);
    ++first[order.front()->name];
  }
  CHECK(first["toggle_fan"] > first["plug_in"]);
  CHECK(first["plug_in"] > first["paint"]);
  CHECK(first["paint"] > 0);
}

TEST_CASE("a task without a word of the tools prefers none") {
  const step_back_principle found{"Hm.", board_tools};
  for (const auto& tool : board_tools)
    CHECK(found.weight(tool.name) == 0);
  rng draw{1};
  CHECK(found.order(draw).size() == 3);
}

TEST_CASE("the agent explores by the principle where the method says so") {
  const auto first_changes = [](std::string_view method) {
    int out = 0;
    for (std::uint64_t key = 1; key <= 200; ++key) {
      scripted_environment env{
          board_tools, [](std::string_view, const json&) -> tool_result {
            return {"Fan: off", false};
          }};
      retrieval_session retrieval{library_of({}), 3};
      auto context = any_job();
      context.method = method;
      const task_info task{{"t"}, "The cooling is dead."};
      const auto done = procedural_agent{{.explore_writes = 1}, {}}.attempt(
          task, env, retrieval, key, context);
      REQUIRE(done);
      for (const auto& step : done->steps)
        out += step.tool == "toggle_fan" ? 1 : 0;
    }
    return out;
  };
  CHECK(first_changes(methods::step_back) > first_changes(methods::plain));
}

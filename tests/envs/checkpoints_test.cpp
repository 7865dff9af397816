/// Checkpoints and probes of the benchmarks that have them.

#include "base/rng.hpp"
#include "envs/spreadsheet/answer_grading.hpp"
#include "envs/tau2/tau2_benchmark.hpp"
#include "envs/toy/toy.hpp"
#include "tests/fixtures/toy_gold.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

TEST_CASE("toy checkpoints are the initial faults") {
  const toy_options options;
  const auto bench = make_toy_benchmark(options);
  for (const auto& task : bench->tasks()) {
    INFO(task.id.value);
    const auto total = bench->checkpoints(task.id);
    CHECK(total >= 1);
    CHECK(total <= options.faults_max);
    const auto env = std::move(*bench->make(task.id));
    CHECK(env->checkpoints_met() == 0);
    std::uint32_t before = 0;
    for (const auto& action : test::toy_gold(options, task.id)) {
      env->call(action.tool, action.arguments);
      const auto now = env->checkpoints_met();
      CHECK(now >= before);
      before = now;
    }
    CHECK(before == total);
    CHECK(env->grade()->reward == 1);
  }
  CHECK(bench->checkpoints(task_id{"nobody"}) == 0);
}

TEST_CASE("a toy probe answers like a call and has no effect") {
  const auto bench = make_toy_benchmark({});
  const auto env = std::move(*bench->make(bench->tasks().front().id));
  for (const auto& tool : env->tools()) {
    const auto probed = env->probe(tool.name, json::object());
    CHECK(probed.has_value() == (tool.kind == tool_kind::read));
    if (probed)
      CHECK(probed->content == env->call(tool.name, json::object()).content);
  }
  CHECK_FALSE(env->probe("no_such_tool", json::object()));
}

namespace {

std::shared_ptr<const tau2::tau2_benchmark> telecom() {
  auto loaded =
      tau2::load_tau2("tau2-telecom", std::filesystem::path{BREWERY_SOURCE_DIR}
                                          / "examples" / "telecom");
  if (!loaded) FAIL(loaded.error().message);
  return *loaded;
}

} // namespace

TEST_CASE("telecom checkpoints are the assertions of the tasks") {
  const auto bench = telecom();
  std::uint32_t all = 0;
  for (const auto& task : bench->tasks()) {
    const auto total = bench->checkpoints(task.id);
    CHECK(total >= 1);
    CHECK(total <= 4);
    all += total;
    auto env = std::move(*bench->open(task.id, tau2::play_mode::solo));
    const auto report = env->grade();
    REQUIRE(report);
    // Some tasks are graded by actions too, which are no checkpoints.
    std::uint32_t asserted = 0, met = 0;
    for (const auto& part : report->parts) {
      if (part.name.starts_with("action ")) continue;
      ++asserted;
      met += part.met ? 1 : 0;
    }
    CHECK(env->checkpoints_met() == met);
    CHECK(asserted == total);
  }
  CHECK(all == 305);
}

TEST_CASE("a telecom probe leaves state and record alone in 2,000 states") {
  const auto bench = telecom();
  rng draw{rng_key(7, "probe")};
  const auto& tasks = bench->tasks();
  std::size_t states = 0, probes = 0;
  while (states < 2000) {
    const auto& task = tasks[draw.below(tasks.size())];
    auto env = std::move(*bench->open(task.id, tau2::play_mode::solo));
    const auto& tools = env->tools();
    // A random walk; most calls fail or change something.
    for (int move = 0; move < 10 && states < 2000; ++move, ++states) {
      const auto& tool = tools[draw.below(tools.size())];
      if (tool.parameters.empty()) env->call(tool.name, json::object());
      const auto agent = env->state().agent_hash();
      const auto user = env->state().user_hash();
      const auto calls = env->record().calls.size();
      const auto& look = tools[draw.below(tools.size())];
      json arguments = json::object();
      for (const auto& parameter : look.parameters)
        arguments[parameter.name] = "C1001";
      const auto probed = env->probe(look.name, arguments);
      CHECK(probed.has_value() == (look.kind == tool_kind::read));
      REQUIRE(env->state().agent_hash() == agent);
      REQUIRE(env->state().user_hash() == user);
      REQUIRE(env->record().calls.size() == calls);
      if (!probed) continue;
      ++probes;
      const auto called = env->call(look.name, arguments);
      REQUIRE(called.content == probed->content);
      REQUIRE(called.failed == probed->failed);
    }
  }
  CHECK(probes > 200);
}

TEST_CASE("spreadsheet checkpoints are the official cases") {
  CHECK(spreadsheet::official_cases_met({}) == 0);
  CHECK(spreadsheet::official_cases_met(
            {.reward = 0,
             .parts = {{"case 1, official", true},
                       {"case 1, repaired", true},
                       {"case 2, official", false},
                       {"case 3, official", true},
                       {"all cases, official", true}}})
        == 2);
}

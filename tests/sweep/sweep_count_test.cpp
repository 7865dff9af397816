/// What the progress of a sweep counts.

#include "store/run_status.hpp"
#include "sweep/sweep_count.hpp"
#include "sweep/sweep_machine.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

sweep_plan counted_plan(const std::vector<std::string>& points,
                        std::vector<std::uint64_t> seeds) {
  sweep_plan out;
  out.seeds = std::move(seeds);
  for (const auto& name : points)
    out.points.push_back({name, {}, {}});
  return out;
}

} // namespace

TEST_CASE("the progress of a sweep counts the points and seeds of its file") {
  auto before = *extended(counted_plan({"a", "gone"}, {1, 2}), {});
  for (auto& point : before.points)
    for (auto& run : point.runs) {
      run.state = sweep_run_state::finished;
      run.rollouts = 100;
      run.cost_usd = 1;
    }
  const auto plan = counted_plan({"a", "b"}, {1, 3});
  sweep_count count;
  const auto now = count.of(plan, *extended(plan, before), {});
  CHECK(now.runs == 4);
  CHECK(now.finished == 1);
  CHECK(now.rollouts == 100);
  CHECK(now.finished_rollouts == 100);
  CHECK(now.unended == std::vector<std::uint64_t>{0, 0, 0});
  // What was paid for the others counts against the budget all the same.
  CHECK(now.cost_usd == 4);
}

TEST_CASE("rollouts and cost of a sweep do not fall when a run ends") {
  const auto plan = counted_plan({"a"}, {1});
  auto state = *extended(plan, {});
  auto& run = state.points[0].runs[0];
  run.state = sweep_run_state::begun;
  run.rollouts = 10;
  sweep_count count;
  auto now = count.of(plan, state, {{"a-s1", {700, 2.5}}});
  CHECK(now.running == std::vector<std::string>{"a-s1"});
  CHECK(now.rollouts == 700);
  // It has ended, which is not noted yet.
  now = count.of(plan, state, {});
  CHECK(now.running.empty());
  CHECK(now.rollouts == 700);
  CHECK(now.cost_usd == 2.5);
  CHECK(now.unended == std::vector<std::uint64_t>{700});
  run.state = sweep_run_state::finished;
  run.rollouts = 720;
  run.cost_usd = 2.75;
  now = count.of(plan, state, {});
  CHECK(now.rollouts == 720);
  CHECK(now.cost_usd == 2.75);
  CHECK(now.finished_rollouts == 720);
}

TEST_CASE("a killed run of a sweep counts with what it had come to") {
  const scratch folder;
  const auto plan = counted_plan({"a"}, {1});
  auto state = *extended(plan, {});
  state.points[0].runs[0].state = sweep_run_state::begun;
  std::filesystem::create_directories(folder.path() / "a-s1");
  const auto session = run_status_file::begin_session(
      folder.path() / "a-s1", std::chrono::system_clock::now());
  REQUIRE(session);
  (*session)->note_progress(640, 1.5);
  const sweep_machine machine{plan, folder.path(), state};
  const auto now = machine.view();
  CHECK(now.rollouts == 640);
  CHECK(now.cost_usd == 1.5);
}

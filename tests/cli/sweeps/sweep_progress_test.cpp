#include "cli/sweep/cluster_group.hpp"
#include "cli/sweep/cluster_sweep.hpp"
#include "cli/sweep/sweep_progress.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace std::chrono_literals;
using Catch::Contains;

namespace {

using counts = std::vector<std::uint64_t>;

/// `finished` runs of 100 rollouts each, and the others with what they have.
sweep_view sweep_at(std::size_t finished, const counts& unended) {
  sweep_view out;
  out.runs = finished + unended.size();
  out.finished = finished;
  out.finished_rollouts = 100 * finished;
  out.unended = unended;
  out.rollouts = out.finished_rollouts;
  for (const auto one : unended)
    out.rollouts += one;
  return out;
}

/// Where a sweep stands at a moment, and the time left that is said then.
struct watched_moment {
  double at = 0;
  sweep_view view;
  std::optional<double> left{};
};

group_view group_with(const std::vector<std::string>& states) {
  group_view out;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const auto id = "g.a-s" + std::to_string(i + 1);
    out.runs[id] = {{"id", id}, {"state", states[i]}, {"rollouts", 10 + i}};
  }
  return out;
}

sweep_plan plan_with_seeds(std::size_t count) {
  sweep_plan out;
  out.points.push_back({"a", {}, {}});
  for (std::size_t i = 0; i < count; ++i)
    out.seeds.push_back(i + 1);
  return out;
}

} // namespace

TEST_CASE("the time left of a sweep is what its runs lack at its pace") {
  const std::vector<std::pair<std::string, std::vector<watched_moment>>> table{
      {"none before a run is finished",
       {{0, sweep_at(0, {0, 0})},
        {10, sweep_at(0, {50, 0})},
        {20, sweep_at(0, {90, 0})}}},
      {"runs that wait, and what those under way have done",
       {{0, sweep_at(0, {0, 0, 0})},
        {10, sweep_at(0, {50, 0, 0})},
        {20, sweep_at(1, {50, 0}), 15}, // 150 at 10 per second
        {25, sweep_at(1, {50, 50}), 10}}},
      {"time that passes does not raise it",
       {{0, sweep_at(0, {0, 0})},
        {10, sweep_at(0, {50, 0})},
        {15, sweep_at(1, {0}), 10},
        {1000, sweep_at(1, {0}), 10}}},
      {"what earlier sessions did is no pace of this one",
       {{0, sweep_at(2, {90, 0})},
        {1, sweep_at(2, {91, 0})},
        {11, sweep_at(3, {1}), 99}}}, // 1 per second
      {"a wait before the first rollout is no pace",
       {{0, sweep_at(1, {0})},
        {3600, sweep_at(1, {10})},
        {3601, sweep_at(1, {20}), 8}}},
      {"none when all that are left take longer than others",
       {{0, sweep_at(1, {0})},
        {10, sweep_at(1, {50})},
        {20, sweep_at(1, {120})}}},
      {"nothing when all have ended", {{0, sweep_at(3, {}), 0}}}};
  for (const auto& [name, moments] : table) {
    sweep_time_left left;
    for (const auto& [at, view, expected] : moments) {
      INFO(name << ", at " << at << " s");
      left.observe(view, at);
      REQUIRE(left.seconds().has_value() == expected.has_value());
      if (expected) CHECK(*left.seconds() == Approx(*expected));
    }
  }
}

TEST_CASE("a sweep shares no more rollouts than it has") {
  sweep_progress meter{progress_style::plain};
  const sweep_progress::clock::time_point now{};
  auto view = sweep_at(0, {0, 0});
  view.shared = 979; // known sooner than the number of all
  CHECK_THAT(meter.line(view, now), Contains("0 rollouts, left ?"));
  view = sweep_at(0, {500, 100});
  view.shared = 979;
  CHECK_THAT(meter.line(view, now), Contains("600 rollouts (600 shared)"));
}

TEST_CASE("runs that were stopped on a coordinator have not failed") {
  const auto now =
      view_of(plan_with_seeds(9), "g",
              group_with({"interrupted", "interrupted", "cancelled", "failed",
                          "finished", "running", "held", "queued"}));
  CHECK(now.interrupted == 2);
  CHECK(now.cancelled == 1);
  CHECK(now.failed == 2); // with one that the coordinator does not know
  CHECK(now.finished == 1);
  CHECK(now.finished_rollouts == 14);
  CHECK(now.unended == counts{15, 16, 17});
  CHECK(now.running == std::vector<std::string>{"a-s6"});
  CHECK(now.ended() == 6);
  sweep_progress meter{progress_style::plain};
  CHECK_THAT(meter.line(now, {}),
             Contains(", 2 interrupted, 1 cancelled, 2 failed, left"));
}

TEST_CASE("a bad name of a group is told as that") {
  const auto refused =
      can_play_on_cluster(plan_with_seeds(1), {{}, "bad name", {}});
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().message,
             Contains("--group 'bad name': cannot be the name of a group"));
}

/// What a sweep makes of the ends of its runs.

#include "sweep/sweep_machine.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

#include <stdexcept>

using namespace brewery;

namespace {

/// Three points of a seed, played by a script.
struct played_sweep {
  scratch folder;
  sweep_plan plan = plan_of();
  sweep_machine machine;

  explicit played_sweep(
      std::function<result<run_summary>(const std::string&)> play)
      : machine(plan, folder.path(), *extended(plan, {}),
                [play = std::move(play)](const std::string& run, const config&,
                                         std::optional<std::uint32_t>) {
                  return play(run);
                }) {}

  static sweep_plan plan_of() {
    sweep_plan out;
    out.seeds = {1};
    for (const auto* name : {"a", "b", "c"})
      out.points.push_back({name, {}, {}});
    return out;
  }
  [[nodiscard]] sweep_run run(std::size_t point) const {
    return machine.state().points[point].runs[0];
  }
};

} // namespace

TEST_CASE("a run that throws has failed, and the others are played") {
  played_sweep sweep{[](const std::string& run) -> result<run_summary> {
    if (run == "b-s1") throw std::runtime_error{"no room"};
    return run_summary{};
  }};
  sweep.machine.play();
  CHECK(sweep.run(0).state == sweep_run_state::finished);
  CHECK(sweep.run(1).state == sweep_run_state::failed);
  CHECK(sweep.run(1).reason == "no room");
  CHECK(sweep.run(2).state == sweep_run_state::finished);
}

TEST_CASE("a sweep is over when every run finished, failed or was cut") {
  played_sweep sweep{[&](const std::string& run) -> result<run_summary> {
    if (run == "c-s1") return error{ec::environment, "it broke"};
    return run_summary{};
  }};
  CHECK(sweep.machine.has_open_runs());
  sweep.machine.play();
  sweep.machine.stop(); // a limit that is reached too late to matter
  CHECK_FALSE(sweep.machine.has_open_runs());
}

TEST_CASE("a sweep that was stopped has open runs") {
  sweep_machine* playing = nullptr;
  const auto own = GENERATE(true, false); // the run under way ends, or does not
  played_sweep sweep{[&](const std::string&) -> result<run_summary> {
    playing->stop();
    if (own) return run_summary{};
    return error{ec::cancelled, "stopped"};
  }};
  playing = &sweep.machine;
  sweep.machine.play();
  CHECK(sweep.run(1).state == sweep_run_state::waiting);
  CHECK(sweep.machine.has_open_runs());
}

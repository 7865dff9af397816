#include "base/file.hpp"
#include "sweep/sweep_state.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <unistd.h>

namespace brewery {
namespace {

namespace fs = std::filesystem;

struct state_folder {
  fs::path path = fs::temp_directory_path()
                  / ("brewery-sweep-state-" + std::to_string(getpid()));
  state_folder() { fs::create_directories(path); }
  ~state_folder() { fs::remove_all(path); }
  state_folder(const state_folder&) = delete;
  state_folder& operator=(const state_folder&) = delete;
};

sweep_plan plan_of(const std::vector<std::string>& names,
                   const std::vector<std::uint64_t>& seeds) {
  sweep_plan out;
  out.seeds = seeds;
  for (const auto& name : names)
    out.points.push_back({name, {{"search.max_width", "3"}}, {}});
  return out;
}

sweep_state fresh(const sweep_plan& plan) {
  return *extended(plan, {});
}

TEST_CASE("the state of a sweep is read as it was written") {
  const state_folder in;
  auto state = fresh(plan_of({"a", "b"}, {1, 2}));
  auto& run = state.points[1].runs[0];
  run.state = sweep_run_state::finished;
  run.score = 0.5;
  run.rollouts = 120;
  run.cost_usd = 1.25;
  state.points[1].runs[1].state = sweep_run_state::failed;
  state.points[1].runs[1].reason = "no \"model\"";
  state.points[0].runs[0].state = sweep_run_state::cut;
  state.points[0].runs[0].cut = sweep_cut{1, 2, 0.375};
  REQUIRE(write_sweep_state(in.path, state));
  const auto read = read_sweep_state(in.path);
  REQUIRE(read);
  CHECK(*read == state);
}

TEST_CASE("a state that cannot be read is refused with its file") {
  const state_folder in;
  CHECK(read_sweep_state(in.path).error().code == ec::not_found);
  REQUIRE(write_file_atomically(sweep_state_file(in.path), "{\"version\": 2}"));
  CHECK(read_sweep_state(in.path).error().code == ec::version_mismatch);
  REQUIRE(write_file_atomically(sweep_state_file(in.path), "{\"version\": 1}"));
  const auto torn = read_sweep_state(in.path);
  REQUIRE_FALSE(torn);
  CHECK(torn.error().code == ec::corrupt);
  CHECK(torn.error().message.find("sweep.json") != std::string::npos);
}

TEST_CASE("a run of a state that is no name of a folder is refused") {
  const state_folder in;
  for (const char* name : {"", "..", "../a", "/tmp/a", "a/b", ".ssh"}) {
    auto state = fresh(plan_of({"a"}, {1}));
    state.points[0].runs[0].run = name;
    REQUIRE(write_sweep_state(in.path, state));
    const auto read = read_sweep_state(in.path);
    REQUIRE_FALSE(read);
    CHECK(read.error().code == ec::corrupt);
    CHECK(read.error().message.find(
              fmt::format("sweep.json: '{}' cannot be the id of a run", name))
          != std::string::npos);
  }
}

TEST_CASE("a sweep is extended by seeds and points and forgets no run") {
  auto state = fresh(plan_of({"a", "b"}, {1, 2}));
  state.points[0].runs[1].state = sweep_run_state::finished;
  const auto more = extended(plan_of({"c", "a"}, {2, 3}), state);
  REQUIRE(more);
  REQUIRE(more->points.size() == 3);
  CHECK(more->points[0].name == "c");
  const auto& a = more->points[1];
  REQUIRE(a.runs.size() == 3);
  CHECK(a.runs[0].seed == 2);
  CHECK(a.runs[0].state == sweep_run_state::finished);
  CHECK(a.runs[1].run == "a-s3");
  CHECK(a.runs[2].seed == 1);
  CHECK(more->points[2].name == "b");
}

TEST_CASE("a point that has other options than before is refused") {
  const auto state = fresh(plan_of({"a"}, {1}));
  auto plan = plan_of({"a"}, {1});
  plan.points[0].settings[0].second = "4";
  const auto more = extended(plan, state);
  REQUIRE_FALSE(more);
  CHECK(more.error().message.starts_with("point a of the sweep has other"));
}

} // namespace
} // namespace brewery

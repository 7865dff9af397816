/// What a run remembers of the run that it repeats.

#include "base/file.hpp"
#include "run/resume/replayed_run.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
namespace fs = std::filesystem;

TEST_CASE("a run remembers which run it repeats, also if both are moved") {
  const scratch root;
  const auto base = run_directory::create(root.path() / "runs", "base");
  const auto again = run_directory::create(root.path() / "runs", "again");
  REQUIRE(base);
  REQUIRE(again);
  REQUIRE(replayed_by(*again));
  CHECK(replayed_by(*again)->empty());
  REQUIRE(remember_replay(*again, base->path()));
  CHECK(fs::equivalent(*replayed_by(*again), base->path()));
  CHECK_FALSE(again->has_begun());
  // What makes a directory a run.
  REQUIRE(write_file_atomically(again->config(), ""));
  fs::rename(root.path() / "runs", root.path() / "moved");
  const auto moved = run_directory::open(root.path() / "moved", "again");
  REQUIRE(moved);
  CHECK(fs::equivalent(*replayed_by(*moved), root.path() / "moved/base"));
}

TEST_CASE("a run that is begun anew without a recording remembers none") {
  const scratch root;
  const auto base = run_directory::create(root.path(), "base");
  const auto run = run_directory::create(root.path(), "again");
  REQUIRE(base);
  REQUIRE(run);
  REQUIRE(remember_replay(*run, base->path()));
  REQUIRE(remember_replay(*run, {}));
  CHECK_FALSE(fs::exists(replay_note(*run)));
  CHECK(remember_replay(*run, {}));
}

TEST_CASE("a file that names no run to repeat is an error, not an online run") {
  const scratch root;
  const auto run = run_directory::create(root.path(), "again");
  REQUIRE(run);
  for (const auto* text : {"", "\n", "a\nb\n"}) {
    REQUIRE(write_file_atomically(replay_note(*run), text));
    const auto found = replayed_by(*run);
    REQUIRE_FALSE(found);
    CHECK(found.error().code == ec::corrupt);
    CHECK_THAT(found.error().message, Catch::Contains("again/replays"));
  }
}

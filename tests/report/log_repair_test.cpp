/// What a repair of a run's log does to the run.

#include "base/file.hpp"
#include "report/log_repair.hpp"
#include "store/event_log.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

/// A finished run, of whose log nobody knows how many rows it had.
run_directory damaged_run(const std::filesystem::path& root) {
  auto out = run_directory::create(root, "night");
  REQUIRE(out);
  const auto log = event_log::create(out->path());
  REQUIRE(log);
  REQUIRE((*log)->append({{0, "gather_record", "0", "x"}}));
  REQUIRE(write_file_atomically(out->path() / "events.ack", "rust\n"));
  return *out;
}

} // namespace

TEST_CASE("a run whose log is salvaged is unfinished again") {
  const scratch root;
  const auto run = damaged_run(root.path());
  REQUIRE(write_file_atomically(run.report(), "# night\n"));
  const auto done = salvage_run(run);
  REQUIRE(done);
  CHECK_FALSE(std::filesystem::exists(run.report()));
  CHECK(check_log(run.path())->is_intact());
}

TEST_CASE("the log of a run that stays finished is not exchanged") {
  const scratch root;
  const auto run = damaged_run(root.path());
  std::filesystem::create_directories(run.report() / "in the way");
  const auto before = file_identity(run.events());
  const auto refused = salvage_run(run);
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().message, Catch::Contains("report.md"));
  CHECK(file_identity(run.events()) == before);
  CHECK_FALSE(check_log(run.path())->is_intact());
}

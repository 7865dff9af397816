#include "base/file.hpp"
#include "store/run_status.hpp"
#include "tests/store/scratch.hpp"

using namespace brewery;
using Catch::Contains;
using std::chrono::seconds;

namespace {

const run_status_file::time_point noon{seconds{1718107200}};

std::shared_ptr<run_status_file> session(const scratch& run,
                                         run_status_file::time_point now) {
  auto begun = run_status_file::begin_session(run.path(), now);
  if (!begun) FAIL(begun.error().message);
  return *begun;
}

run_status stored(const scratch& run) {
  const auto read = read_run_status(run.path());
  if (!read) FAIL(read.error().message);
  return *read;
}

void finish(run_status& status) {
  status.state = run_state::finished;
}

/// As if the last event was written then.
void last_event(const scratch& run, run_status_file::time_point when) {
  const auto file = run.path() / "events.ack";
  REQUIRE(write_file_atomically(file, "0"));
  std::filesystem::last_write_time(
      file, std::chrono::time_point_cast<std::chrono::file_clock::duration>(
                std::chrono::file_clock::from_sys(when)));
}

} // namespace

TEST_CASE("the time of a run adds up over its sessions") {
  const scratch run;
  auto first = session(run, noon);
  CHECK(first->seconds(noon + seconds{3}) == 3);
  REQUIRE(first->end_session(noon + seconds{5}, [](run_status& status) {
    status.state = run_state::failed;
    status.reason = "the disk broke";
    status.spent = true;
  }));
  CHECK(stored(run).spent);
  CHECK(stored(run).state == run_state::failed);
  CHECK(stored(run).reason == "the disk broke");
  auto second = session(run, noon + seconds{100});
  CHECK(stored(run).state == run_state::running);
  CHECK(stored(run).reason.empty());
  CHECK_FALSE(stored(run).spent); // whoever began it knows
  REQUIRE(second->end_session(noon + seconds{107}, finish));
  CHECK(second->seconds(noon + seconds{200}) == 12);
  CHECK(stored(run).seconds == 12);
  CHECK(stored(run).started_ms == 1718107200000);
  CHECK(stored(run).session_ms == 1718107300000);
}

TEST_CASE("a session that was killed lasted until its last event") {
  const scratch run;
  session(run, noon);
  last_event(run, noon + seconds{40});
  CHECK(session(run, noon + seconds{900})->seconds(noon + seconds{902}) == 42);
  last_event(run, noon + seconds{30}); // before that session began
  CHECK(session(run, noon + seconds{950})->seconds(noon + seconds{950}) == 40);
}

TEST_CASE("the number of rollouts never falls, not even after a kill") {
  const scratch run;
  CHECK(session(run, noon)->note_progress(7) == 7);
  auto later = session(run, noon);
  CHECK(later->stored_rollouts() == 7);
  CHECK(later->note_progress(3) == 7);
  CHECK(later->note_progress(9) == 9);
  CHECK(later->stored_rollouts() == 9);
  CHECK(stored(run).rollouts == 9);
}

TEST_CASE("only a number of rollouts that is stored is shown") {
  const scratch run;
  const auto open = session(run, noon);
  // A directory in its place: the file cannot be written.
  std::filesystem::remove(run.path() / "status.json");
  std::filesystem::create_directories(run.path() / "status.json" / "x");
  CHECK(open->note_progress(7) == 0);
  CHECK(open->stored_rollouts() == 0);
}

TEST_CASE("the cost of a session is stored before it ends") {
  const scratch run;
  const auto open = session(run, noon);
  open->note_progress(2, 0.25);
  CHECK(stored(run).cost_usd == 0.25);
  open->note_progress(3);
  CHECK(stored(run).cost_usd == 0.25);
  CHECK(session(run, noon)->status().cost_usd == 0.25);
}

TEST_CASE("progress that is stored already is not written again") {
  const scratch run;
  const auto open = session(run, noon);
  open->note_progress(2, 0.25);
  std::filesystem::remove(run.path() / "status.json");
  open->note_progress(2, 0.25);
  open->note_progress(1);
  CHECK_FALSE(std::filesystem::exists(run.path() / "status.json"));
  open->note_progress(3, 0.25);
  CHECK(stored(run).rollouts == 3);
}

TEST_CASE("a run of an older release has no status") {
  const scratch run;
  CHECK(read_run_status(run.path()).error().code == ec::not_found);
}

TEST_CASE("a cancelled run is interrupted to who knows no such state") {
  const scratch run;
  REQUIRE(session(run, noon)->end_session(
      noon, [](run_status& status) { status.state = run_state::cancelled; }));
  CHECK(stored(run).state == run_state::cancelled);
  const auto text = read_file(run.path() / "status.json");
  REQUIRE(text);
  CHECK_THAT(*text, Contains("\"state\": \"interrupted\""));
  // A later session is not cancelled because an earlier one was.
  REQUIRE(session(run, noon)->end_session(
      noon, [](run_status& status) { status.state = run_state::interrupted; }));
  CHECK(stored(run).state == run_state::interrupted);
}

TEST_CASE("a status that is damaged is an error with its file") {
  const scratch run;
  for (const auto* text : {"", "[]", "{\"state\": \"lost\"}", "{\"state\": 1}",
                           "{\"state\": \"failed\", \"seconds\": \"2\"}"}) {
    INFO(text);
    REQUIRE(write_file_atomically(run.path() / "status.json", text));
    const auto read = read_run_status(run.path());
    REQUIRE_FALSE(read);
    CHECK(read.error().code == ec::corrupt);
    CHECK_THAT(read.error().message, Contains("status.json"));
    CHECK(read.error().message.find('\n') == std::string::npos);
    CHECK_FALSE(run_status_file::begin_session(run.path(), noon));
  }
}

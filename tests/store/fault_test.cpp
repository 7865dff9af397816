/// What survives when calls below the log fail, or the process is killed.

#include "tests/store/faulty_vfs.hpp"
#include "tests/store/scratch.hpp"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace brewery;

namespace {

bool expected_code(ec code) {
  return code == ec::io || code == ec::disk_full;
}

/// Creates, appends, closes, opens, appends, under whatever faults are set.
/// Returns the rows acknowledged.
std::uint64_t scenario(const std::filesystem::path& directory) {
  std::uint64_t acknowledged = 0;
  const auto work = [&](auto&& opened) {
    if (!opened) {
      CHECK(expected_code(opened.error().code));
      return;
    }
    for (int batch = 0; batch < 3; ++batch) {
      const auto done = (*opened)->append(sample_rows(acknowledged + 1, 4));
      if (done)
        acknowledged += 4;
      else
        CHECK(expected_code(done.error().code));
      if ((*opened)->last_seq() != acknowledged)
        FAIL("last_seq is not what was acknowledged");
    }
  };
  work(event_log::create(directory, faulty_vfs::name));
  if (std::filesystem::exists(directory / "events.db"))
    work(event_log::open(directory, faulty_vfs::name));
  return acknowledged;
}

/// After the faults are gone nothing acknowledged is missing, nothing half
/// written is there, and the log goes on.
void check_recovered(const std::filesystem::path& directory,
                     std::uint64_t acknowledged) {
  if (!std::filesystem::exists(directory / "events.db")) {
    CHECK(acknowledged == 0);
    CHECK(event_log::create(directory, faulty_vfs::name));
    return;
  }
  auto log = event_log::open(directory, faulty_vfs::name);
  if (!log) FAIL(to_string(log.error()));
  const auto rows = count_sample_rows(**log);
  // A batch that failed may still be there after a reopen, but whole.
  CHECK(rows >= acknowledged);
  CHECK(rows <= acknowledged + 4);
  CHECK(rows % 4 == 0);
  REQUIRE((*log)->append(sample_rows(rows + 1, 4)));
  CHECK(count_sample_rows(**log) == rows + 4);
}

std::uint64_t fail_every_call(bool sticky) {
  faulty_vfs vfs;
  for (std::uint64_t n = 1; n < 10'000; ++n) {
    INFO("failing changing call " << n);
    scratch dir;
    vfs.fail_at(n, sticky);
    const auto acknowledged = scenario(dir.path());
    const bool failed = vfs.failures() > 0;
    vfs.heal();
    check_recovered(dir.path(), acknowledged);
    if (!failed) {
      CHECK(acknowledged == 24);
      return n - 1;
    }
  }
  return 0;
}

} // namespace

TEST_CASE("any one failing call of SQLite loses nothing acknowledged") {
  const auto calls = fail_every_call(false);
  CHECK(calls > 30);
}

TEST_CASE("a disk that fails from any call on loses nothing acknowledged") {
  const auto calls = fail_every_call(true);
  CHECK(calls > 30);
}

TEST_CASE("a full disk refuses, keeps what was acknowledged, and goes on when "
          "there is space") {
  faulty_vfs vfs;
  for (const std::uint64_t quota : {60'000u, 100'000u, 250'000u}) {
    INFO("quota " << quota);
    scratch dir;
    auto log = event_log::create(dir.path(), faulty_vfs::name);
    REQUIRE(log);
    vfs.set_quota(quota);
    std::uint64_t rows = 0;
    result<void> done;
    while (done && rows < 10'000) {
      done = (*log)->append(sample_rows(rows + 1, 5));
      if (done) rows += 5;
    }
    CHECK(contains(refusal(done, ec::disk_full), "events.db: cannot write"));
    CHECK(
        contains(refusal(done, ec::disk_full), "free some space and continue"));
    CHECK(count_sample_rows(**log) == rows);
    CHECK(rows > 0);
    CHECK_FALSE((*log)->append(sample_rows(rows + 1, 5)));

    vfs.heal();
    REQUIRE((*log)->append(sample_rows(rows + 1, 5)));
    CHECK(count_sample_rows(**log) == rows + 5);
    log->reset();
    CHECK(count_sample_rows(**event_log::open(dir.path())) == rows + 5);
  }
}

namespace {

/// Appends batches of 1 to 7 rows for ever and tells each acknowledged number.
[[noreturn]] void append_for_ever(const std::filesystem::path& directory,
                                  std::uint64_t seed, int written) {
  auto log = event_log::open(directory);
  if (!log) ::_exit(1);
  rng draw{rng_key(seed, "batches")};
  for (;;) {
    const auto first = (*log)->last_seq() + 1;
    if (!(*log)->append(sample_rows(first, 1 + draw.below(7)))) ::_exit(2);
    const auto last = (*log)->last_seq();
    if (::write(written, &last, sizeof last) != sizeof last) ::_exit(3);
  }
}

} // namespace

TEST_CASE("a writer killed at random moments loses no acknowledged row") {
  const std::uint64_t seed = 41;
  INFO("seed " << seed);
  scratch dir;
  REQUIRE(event_log::create(dir.path()));
  rng draw{rng_key(seed, "kill")};
  std::uint64_t before = 0;
  for (int round = 0; round < 25; ++round) {
    int written[2];
    REQUIRE(::pipe(written) == 0);
    const auto child = ::fork();
    if (child == 0) append_for_ever(dir.path(), seed, written[1]);
    ::close(written[1]);
    std::uint64_t acknowledged = before;
    // After a random number of acknowledgements and a random moment more.
    for (auto left = draw.below(20); left > 0; --left)
      REQUIRE(::read(written[0], &acknowledged, sizeof acknowledged)
              == sizeof acknowledged);
    for (volatile auto spin = draw.below(400'000); spin > 0;)
      spin = spin - 1;
    ::kill(child, SIGKILL);
    while (::read(written[0], &acknowledged, sizeof acknowledged)
           == sizeof acknowledged)
      continue;
    ::close(written[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    REQUIRE(WIFSIGNALED(status));

    auto log = event_log::open(dir.path());
    if (!log) FAIL(to_string(log.error()));
    CHECK((*log)->last_seq() >= acknowledged);
    CHECK(count_sample_rows(**log) == (*log)->last_seq());
    before = (*log)->last_seq();
  }
  CHECK(before > 0);
}

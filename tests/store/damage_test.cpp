/// What is noticed when the files of a log are damaged.

#include "base/file.hpp"
#include "store/database.hpp"
#include "tests/store/scratch.hpp"

#include <map>

using namespace brewery;
namespace fs = std::filesystem;

namespace {

void make_log(const fs::path& directory, std::uint64_t rows) {
  auto log = event_log::create(directory);
  REQUIRE(log);
  REQUIRE((*log)->append(sample_rows(1, rows)));
}

/// As an attacker with a shell would.
void tamper(const fs::path& directory, const std::string& sql) {
  auto db =
      database::open(directory / "events.db", database::mode::read_write, {});
  REQUIRE(db);
  const auto done = db->execute(("DROP TRIGGER events_are_never_changed;"
                                 "DROP TRIGGER events_are_never_deleted;"
                                 + sql)
                                    .c_str());
  if (!done) FAIL(to_string(done.error()));
}

/// Visits as far as it goes.
struct reading {
  std::uint64_t rows = 0;
  error failure{ec::ok, {}};
};

reading read_log(const fs::path& directory) {
  reading out;
  const auto log = event_log::open_for_reading(directory);
  if (!log) {
    out.failure = log.error();
    return out;
  }
  const auto done = (*log)->for_each([&](const event_row& row) -> result<void> {
    ++out.rows;
    if (!(row == sample_row(out.rows))) FAIL("row " << out.rows << " changed");
    return {};
  });
  if (!done) out.failure = done.error();
  return out;
}

std::string bytes_of(const fs::path& file) {
  auto bytes = read_file(file);
  REQUIRE(bytes);
  return *bytes;
}

void write_bytes(const fs::path& file, std::string_view bytes) {
  std::ofstream{file, std::ios::binary | std::ios::trunc} << bytes;
}

} // namespace

TEST_CASE("a changed row is corrupt: file, row and what to do are named") {
  scratch dir;
  make_log(dir.path(), 5);
  tamper(dir.path(), GENERATE("UPDATE events SET key = 'x' WHERE seq = 3",
                              "UPDATE events SET kind = 'x' WHERE seq = 3",
                              "UPDATE events SET crc = crc + 1 WHERE seq = 3",
                              "UPDATE events SET size = size + 1 WHERE seq = 3",
                              "UPDATE events SET payload = x'00' WHERE seq = "
                              "3"));
  const auto seen = read_log(dir.path());
  CHECK(seen.rows == 2);
  CHECK(seen.failure.code == ec::corrupt);
  CHECK(contains(seen.failure.message,
                 "events.db: row 3: its checksum does not match; the 2 rows "
                 "before it are intact; `brewery log check RUN` says"));
}

TEST_CASE("a missing row is corrupt: the gap is named") {
  scratch dir;
  make_log(dir.path(), 5);
  tamper(dir.path(), "DELETE FROM events WHERE seq = 4");
  const auto seen = read_log(dir.path());
  CHECK(seen.rows == 3);
  CHECK(contains(seen.failure.message, "row 4: it is missing (row 5 follows)"));
}

TEST_CASE("two exchanged rows are corrupt") {
  scratch dir;
  make_log(dir.path(), 5);
  tamper(dir.path(), "UPDATE events SET seq = -1 WHERE seq = 2;"
                     "UPDATE events SET seq = 2 WHERE seq = 3;"
                     "UPDATE events SET seq = 3 WHERE seq = -1");
  const auto seen = read_log(dir.path());
  CHECK(seen.rows == 1);
  CHECK(contains(seen.failure.message, "row 2: its checksum"));
}

TEST_CASE("lost last rows are noticed, since they were acknowledged") {
  scratch dir;
  make_log(dir.path(), 5);
  tamper(dir.path(), "DELETE FROM events WHERE seq > 3");
  CHECK(contains(read_log(dir.path()).failure.message,
                 "ends with row 3, but row 5 was acknowledged"));
  const auto refused = refusal(event_log::open(dir.path()), ec::corrupt);
  CHECK(contains(refused, "row 5 was acknowledged"));
  CHECK(contains(refused, "`brewery log salvage RUN` cuts the damage out"));
}

TEST_CASE("a write-ahead file that was removed is noticed") {
  scratch dir;
  scratch copy;
  {
    auto log = event_log::create(dir.path());
    REQUIRE(log);
    REQUIRE((*log)->append(sample_rows(1, 5)));
    // As after a crash: the rows are in the write-ahead file only.
    fs::copy(dir.path(), copy.path(), fs::copy_options::recursive);
  }
  CHECK(read_log(copy.path()).rows == 5);
  scratch without;
  fs::copy(copy.path(), without.path(), fs::copy_options::recursive);
  fs::remove(without.path() / "events.db-wal");
  fs::remove(without.path() / "events.db-shm");
  CHECK(contains(read_log(without.path()).failure.message,
                 "ends with row 0, but row 5 was acknowledged"));
}

TEST_CASE("a flipped bit anywhere in the write-ahead file loses nothing "
          "silently") {
  scratch dir;
  scratch crashed;
  {
    auto log = event_log::create(dir.path());
    REQUIRE(log);
    for (std::uint64_t n = 1; n <= 6; ++n)
      REQUIRE((*log)->append({sample_row(n)}));
    fs::copy(dir.path(), crashed.path(), fs::copy_options::recursive);
  }
  fs::remove(crashed.path() / "events.db-shm");
  const auto wal = crashed.path() / "events.db-wal";
  const auto database_bytes = bytes_of(crashed.path() / "events.db");
  const auto intact = bytes_of(wal);
  const std::uint64_t seed = 31;
  INFO("seed " << seed);
  rng draw{rng_key(seed, "wal")};
  for (int round = 0; round < 200; ++round) {
    auto bytes = intact;
    const auto at = draw.below(bytes.size());
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << draw.below(8)));
    write_bytes(wal, bytes);
    write_bytes(crashed.path() / "events.db", database_bytes);
    fs::remove(crashed.path() / "events.db-shm");
    const auto seen = read_log(crashed.path());
    INFO("byte " << at << ": " << seen.failure.message);
    CHECK((seen.rows == 6 || seen.failure.code == ec::corrupt));
  }
}

TEST_CASE("a flipped bit anywhere in the database loses nothing silently") {
  scratch dir;
  make_log(dir.path(), 40);
  const auto file = dir.path() / "events.db";
  const auto intact = bytes_of(file);
  const std::uint64_t seed = 32;
  INFO("seed " << seed);
  rng draw{rng_key(seed, "database")};
  int noticed = 0;
  for (int round = 0; round < 400; ++round) {
    auto bytes = intact;
    const auto at = draw.below(bytes.size());
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << draw.below(8)));
    write_bytes(file, bytes);
    fs::remove(dir.path() / "events.db-wal");
    fs::remove(dir.path() / "events.db-shm");
    const auto seen = read_log(dir.path());
    INFO("byte " << at << ": " << seen.failure.message);
    // Free space and unused header fields do not matter; a row does.
    CHECK((seen.rows == 40 || seen.failure.code != ec::ok));
    CHECK(seen.failure.message.find('\n') == std::string::npos);
    noticed += seen.failure.code == ec::corrupt ? 1 : 0;
  }
  CHECK(noticed > 200);
}

TEST_CASE("a database cut short is corrupt or whole, never shorter") {
  scratch dir;
  make_log(dir.path(), 40);
  const auto file = dir.path() / "events.db";
  const auto intact = bytes_of(file);
  rng draw{rng_key(33, "cut")};
  for (int round = 0; round < 60; ++round) {
    const auto size = round < 20 ? static_cast<std::size_t>(round) * 4096
                                 : draw.below(intact.size());
    if (size >= intact.size()) continue;
    write_bytes(file, std::string_view{intact}.substr(0, size));
    fs::remove(dir.path() / "events.db-wal");
    fs::remove(dir.path() / "events.db-shm");
    const auto seen = read_log(dir.path());
    INFO("cut to " << size << ": " << seen.failure.message);
    CHECK(seen.failure.code == ec::corrupt);
    CHECK(contains(seen.failure.message, "events.db"));
    if (size > 0) // nothing at all is no log
      CHECK(contains(seen.failure.message, "`brewery log salvage RUN`"));
  }
}

TEST_CASE("a file that is no event log is refused as such") {
  scratch dir;
  write_bytes(dir.path() / "events.db",
              "This is a letter, not a database.\n" + std::string(200, '.'));
  CHECK(contains(refusal(event_log::open(dir.path()), ec::corrupt),
                 "events.db: file is not a database"));
  write_bytes(dir.path() / "events.db", "");
  CHECK(contains(refusal(event_log::open(dir.path()), ec::corrupt),
                 "is not an event log of Brewery"));
  fs::remove(dir.path() / "events.db");
  {
    auto other =
        database::open(dir.path() / "events.db", database::mode::create, {});
    REQUIRE(other);
    REQUIRE(other->execute("CREATE TABLE t(x)"));
  }
  CHECK(contains(refusal(event_log::open_for_reading(dir.path()), ec::corrupt),
                 "is not an event log of Brewery"));
}

TEST_CASE("a damaged acknowledgement file is reported, not guessed") {
  scratch dir;
  make_log(dir.path(), 2);
  write_bytes(
      dir.path() / "events.ack",
      GENERATE("", "12", "00000000000000000002x", "-0000000000000000002\n"));
  const auto refused = refusal(event_log::open(dir.path()), ec::corrupt);
  CHECK(contains(refused, "events.ack: expected 20 digits"));
  CHECK(contains(refused, "`brewery log salvage RUN` mends it"));
}

TEST_CASE("a log without its acknowledgement file still opens") {
  scratch dir;
  make_log(dir.path(), 2);
  fs::remove(dir.path() / "events.ack");
  auto log = event_log::open(dir.path());
  REQUIRE(log);
  CHECK(count_sample_rows(**log) == 2);
}

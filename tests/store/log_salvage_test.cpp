/// Which rows of a damaged log are found and kept.

#include "base/file.hpp"
#include "store/database.hpp"
#include "store/log_salvage.hpp"
#include "tests/store/faulty_vfs.hpp"
#include "tests/store/scratch.hpp"

using namespace brewery;

namespace {

constexpr std::uint64_t row_count = 40;

void make_damaged_log(const std::filesystem::path& directory,
                      const std::string& sql) {
  {
    auto log = event_log::create(directory);
    REQUIRE(log);
    REQUIRE((*log)->append(sample_rows(1, row_count)));
  }
  auto db =
      database::open(directory / "events.db", database::mode::read_write, {});
  REQUIRE(db);
  REQUIRE(db->execute(("DROP TRIGGER events_are_never_changed;"
                       "DROP TRIGGER events_are_never_deleted;"
                       + sql)
                          .c_str()));
}

bool keep_all(const event_row&) {
  return true;
}

std::string whole_file(const std::filesystem::path& file) {
  const auto text = read_file(file);
  REQUIRE(text);
  return *text;
}

/// The keys of the rows of an intact log.
std::vector<std::string> keys_in(const std::filesystem::path& directory) {
  std::vector<std::string> out;
  const auto log = event_log::open(directory);
  REQUIRE(log);
  REQUIRE((*log)->for_each([&](const event_row& row) -> result<void> {
    out.push_back(row.key);
    return {};
  }));
  return out;
}

} // namespace

TEST_CASE("each damaged row of a log is found and named") {
  const scratch dir;
  make_damaged_log(dir.path(),
                   "UPDATE events SET crc = crc + 1 WHERE seq = 7;"
                   "DELETE FROM events WHERE seq = 12 OR seq > 38;");
  const auto found = check_log(dir.path());
  REQUIRE(found);
  CHECK(found->intact == row_count - 4);
  std::vector<std::uint64_t> rows;
  for (const auto& row : found->damaged)
    rows.push_back(row.seq);
  CHECK(rows == std::vector<std::uint64_t>{7, 12, 39, 40});
  CHECK(found->damaged[0].key == "job-7");
  CHECK(found->damaged[1].key.empty());
}

TEST_CASE("a salvaged log has what is intact and wanted, numbered anew") {
  const scratch dir;
  make_damaged_log(dir.path(), "UPDATE events SET crc = crc + 1 WHERE seq = 7");
  const auto aside = salvage_log(
      dir.path(), [](const event_row& row) { return row.seq != 9; });
  REQUIRE(aside);
  const auto keys = keys_in(dir.path());
  REQUIRE(keys.size() == row_count - 2);
  CHECK(keys[5] == "job-6");
  CHECK(keys[6] == "job-8");
  CHECK(keys[7] == "job-10");
  CHECK(check_log(*aside)->damaged.size() == 1); // kept as it was
}

TEST_CASE("a salvage that was interrupted is ended by the next") {
  const scratch dir;
  make_damaged_log(dir.path(), "DELETE FROM events WHERE seq = 7");
  REQUIRE(salvage_log(dir.path(), keep_all));
  const auto fresh = dir.path() / "events-salvaged.new";
  std::filesystem::create_directory(fresh);
  std::filesystem::rename(dir.path() / "events.db", fresh / "events.db");
  REQUIRE(salvage_log(dir.path(), keep_all));
  CHECK(keys_in(dir.path()).size() == row_count - 1);
  CHECK_FALSE(std::filesystem::exists(fresh));
}

TEST_CASE("a log that somebody writes is not salvaged") {
  const scratch dir;
  make_damaged_log(dir.path(), "DELETE FROM events WHERE seq = 7");
  const auto writer = directory_lock::take(dir.path());
  REQUIRE(writer);
  const auto refused = salvage_log(dir.path(), keep_all);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ec::in_use);
}

TEST_CASE("a salvage for which the disk is too small changes nothing") {
  const scratch dir;
  const auto original = dir.path() / "original";
  std::filesystem::create_directory(original);
  make_damaged_log(original, "UPDATE events SET crc = crc + 1 WHERE seq = 7");
  const auto before = whole_file(original / "events.db");
  const auto needed = before.size();
  std::size_t refused = 0, done = 0;
  // Room for nothing, for the rows, for the rows and their copy.
  for (std::size_t quota = 0; quota < 4 * needed; quota += needed / 8) {
    INFO("room for " << quota << " bytes, the log has " << needed);
    const auto log = dir.path() / std::to_string(quota);
    std::filesystem::copy(original, log);
    faulty_vfs disk;
    disk.set_quota(quota);
    const auto salvaged = salvage_log(log, keep_all, {faulty_vfs::name});
    if (salvaged) {
      ++done;
      CHECK(disk.failures() == 0);
      CHECK(keys_in(log).size() == row_count - 1);
      continue;
    }
    ++refused;
    CHECK(salvaged.error().code == ec::disk_full);
    CHECK(whole_file(log / "events.db") == before);
    CHECK_FALSE(std::filesystem::exists(log / "events-damaged-1"));
    // It takes no space from the next try.
    CHECK_FALSE(std::filesystem::exists(log / "events-salvaged.new"));
  }
  CHECK(refused > 4);
  CHECK(done > 4);
}

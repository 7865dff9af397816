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

/// What a process leaves that is killed while it writes a damaged log: its last
/// rows are in the write-ahead file only.
void make_damaged_open_log(const std::filesystem::path& directory) {
  namespace fs = std::filesystem;
  const scratch live;
  make_damaged_log(live.path(),
                   "UPDATE events SET crc = crc + 1 WHERE seq = 7");
  const auto log = event_log::open(live.path());
  REQUIRE(log);
  REQUIRE((*log)->append(sample_rows(row_count + 1, 10)));
  for (const auto* name :
       {"events.db", "events.db-wal", "events.db-shm", "events.ack"})
    fs::copy(live.path() / name, directory / name);
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
  CHECK(rows == std::vector<std::uint64_t>{7, 12, 39});
  CHECK(found->damaged[0].key == "job-7");
  CHECK(found->damaged[0].last == 7);
  CHECK(found->damaged[1].key.empty());
  CHECK(found->damaged[1].last == 12);
  CHECK(found->damaged[2].last == 40); // what is missing in sequence is one
}

TEST_CASE("rows before a damaged one are called intact only if all are") {
  const scratch dir;
  make_damaged_log(dir.path(),
                   "UPDATE events SET crc = crc + 1 WHERE seq IN (7, 9)");
  const auto found = check_log(dir.path());
  REQUIRE(found);
  REQUIRE(found->damaged.size() == 2);
  CHECK(contains(found->damaged[0].what, "the 6 rows before it are intact"));
  CHECK_FALSE(contains(found->damaged[1].what, "before it"));
  const auto log = event_log::open_for_reading(dir.path());
  REQUIRE(log);
  const auto alone = refusal((*log)->read(7), ec::corrupt);
  CHECK(contains(alone, "row 7: its checksum does not match; `brewery log"));
}

TEST_CASE("a check of a log does not advise to check it") {
  scratch dir;
  make_damaged_log(dir.path(), "DELETE FROM events WHERE seq = 7");
  const auto found = check_log(dir.path());
  REQUIRE(found);
  REQUIRE(found->damaged.size() == 1);
  CHECK_FALSE(contains(found->damaged[0].what, "brewery log"));
  std::ofstream{dir.path() / "events.db", std::ios::trunc}
      << "This is a letter, not a database.\n" + std::string(200, '.');
  const auto why = refusal(check_log(dir.path()), ec::corrupt);
  CHECK(contains(why, "nothing of it can be read: restore it from a copy"));
  CHECK_FALSE(contains(why, "brewery log"));
}

TEST_CASE("a damaged number of rows is one damaged place") {
  const scratch dir;
  std::uint64_t claimed = std::uint64_t{1} << 50;
  SECTION("in events.ack") {
    const auto* const digits =
        GENERATE("00080000000000000040", "18446744073709551615");
    make_damaged_log(dir.path(), "");
    std::ofstream{dir.path() / "events.ack"} << digits << "\n";
    claimed = std::stoull(digits);
    const auto found = check_log(dir.path());
    REQUIRE(found);
    CHECK(found->intact == row_count);
    REQUIRE(found->damaged.size() == 1);
    CHECK(found->damaged[0].seq == row_count + 1);
    CHECK(found->damaged[0].last == claimed);
    REQUIRE(salvage_log(dir.path(), keep_all));
    CHECK(keys_in(dir.path()).size() == row_count);
  }
  SECTION("in the log") {
    const bool acknowledged = GENERATE(true, false);
    make_damaged_log(dir.path(),
                     "UPDATE events SET seq = 1 << 50 WHERE seq = 40");
    if (!acknowledged) std::filesystem::remove(dir.path() / "events.ack");
    const auto found = check_log(dir.path());
    REQUIRE(found);
    CHECK(found->intact == row_count - 1);
    REQUIRE(found->damaged.size() == 1);
    CHECK(found->damaged[0].seq == row_count);
    CHECK(found->damaged[0].last == claimed);
  }
}

TEST_CASE("rows are found without the last page and without events.ack") {
  const scratch dir;
  make_damaged_log(dir.path(), "");
  const auto file = dir.path() / "events.db";
  auto bytes = whole_file(file);
  constexpr std::size_t page = 4096;
  const auto at = bytes.find("job-40") / page * page;
  REQUIRE(bytes[at] == 13); // a leaf
  std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), page, '\0');
  std::ofstream{file, std::ios::binary} << bytes;
  const auto before = check_log(dir.path());
  std::filesystem::remove(dir.path() / "events.ack");
  const auto found = check_log(dir.path());
  REQUIRE(before);
  REQUIRE(found);
  CHECK(found->intact > row_count / 2);
  CHECK(found->intact == before->intact);
  REQUIRE(before->damaged.size() == 1);
  CHECK(before->damaged[0].seq == found->intact + 1);
  CHECK(before->damaged[0].last == row_count);
  REQUIRE(found->damaged.size() == 1);
  CHECK(found->damaged[0].seq == found->intact + 1);
}

TEST_CASE("of a log that was cut off the pages that are left are salvaged") {
  const scratch dir;
  make_damaged_log(dir.path(), "");
  const auto file = dir.path() / "events.db";
  const auto whole = std::filesystem::file_size(file);
  // Within a page too.
  const auto left = GENERATE_COPY(whole - 1, whole - 4096, whole / 2 + 100);
  std::filesystem::resize_file(file, left);
  const auto found = check_log(dir.path());
  REQUIRE(found);
  INFO(found->intact << " of " << row_count << " in " << left << " of " << whole
                     << " bytes");
  CHECK(found->intact > 0);
  CHECK(found->intact < row_count);
  REQUIRE_FALSE(found->damaged.empty());
  CHECK(found->damaged.back().last == row_count);
  REQUIRE(salvage_log(dir.path(), keep_all));
  CHECK(keys_in(dir.path()).size() == found->intact);
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

TEST_CASE("a salvage that was killed at any move is ended by the next") {
  namespace fs = std::filesystem;
  const scratch original;
  make_damaged_open_log(original.path());
  std::uint64_t moves = 0;
  for (std::uint64_t last = 0; last <= moves; ++last) {
    INFO("killed after move " << last);
    const scratch dir;
    fs::copy(original.path(), dir.path(),
             fs::copy_options::recursive
                 | fs::copy_options::overwrite_existing);
    moves = 0;
    const auto killed = salvage_log(dir.path(), keep_all,
                                    {{}, [&](const fs::path&) -> result<void> {
                                       if (moves == last)
                                         return error{ec::io, "killed"};
                                       ++moves;
                                       return {};
                                     }});
    if (killed) break;
    ++moves; // so many at least
    // Nobody takes what is left for a new run, or for a whole log.
    if (last > 0)
      for (const auto& why :
           {refusal(event_log::create(dir.path()), ec::corrupt),
            refusal(event_log::open(dir.path()), ec::corrupt),
            refusal(event_log::open_for_reading(dir.path()), ec::corrupt)})
        CHECK(contains(why, "finish with `brewery log salvage`"));
    REQUIRE(salvage_log(dir.path(), keep_all));
    CHECK(keys_in(dir.path()).size() == row_count + 9);
    const auto aside = dir.path() / "events-damaged-1";
    for (const auto* name : {"events.db", "events.db-wal", "events.ack"})
      CHECK(whole_file(aside / name) == whole_file(original.path() / name));
    CHECK_FALSE(fs::exists(dir.path() / "events-damaged-2"));
    CHECK_FALSE(fs::exists(dir.path() / "events-salvaged.new"));
  }
  CHECK(moves == 5);
}

TEST_CASE("each salvage keeps its damaged log") {
  namespace fs = std::filesystem;
  const scratch dir;
  make_damaged_log(dir.path(), "DELETE FROM events WHERE seq = 7");
  const auto first = salvage_log(dir.path(), keep_all);
  REQUIRE(first);
  CHECK(first->filename() == "events-damaged-1");
  // The names of those that somebody has removed are not used again.
  fs::rename(*first, dir.path() / "events-damaged-3");
  const auto second = salvage_log(dir.path(), keep_all);
  REQUIRE(second);
  CHECK(second->filename() == "events-damaged-4");
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
    const auto salvaged = salvage_log(log, keep_all, {faulty_vfs::name, {}});
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

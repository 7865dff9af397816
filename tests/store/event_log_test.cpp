#include "base/compression.hpp"
#include "base/hash.hpp"
#include "messages/search_msgs.hpp"
#include "store/event_log.hpp"
#include "store/event_schema.hpp"
#include "store/stored_row.hpp"
#include "tests/store/scratch.hpp"

#include <sys/wait.h>
#include <unistd.h>

using namespace brewery;

namespace {

void run_sql(const std::filesystem::path& directory, const std::string& sql) {
  auto db =
      database::open(directory / "events.db", database::mode::read_write, {});
  REQUIRE(db);
  const auto done = db->execute(sql.c_str());
  if (!done) FAIL(to_string(done.error()));
}

std::string sql_refusal(const std::filesystem::path& directory,
                        const char* sql) {
  auto db =
      database::open(directory / "events.db", database::mode::read_write, {});
  REQUIRE(db);
  const auto done = db->execute(sql);
  return done ? "accepted" : done.error().message;
}

} // namespace

TEST_CASE("rows come back in order with their numbers, in batches and after "
          "reopening") {
  scratch dir;
  {
    auto log = event_log::create(dir.path());
    REQUIRE(log);
    CHECK((*log)->last_seq() == 0);
    CHECK(count_sample_rows(**log) == 0);
    REQUIRE((*log)->append(sample_rows(1, 10)));
    REQUIRE((*log)->append({}));
    REQUIRE((*log)->append(sample_rows(11, 1)));
    CHECK((*log)->last_seq() == 11);
    CHECK(count_sample_rows(**log) == 11);
  }
  auto log = event_log::open(dir.path());
  REQUIRE(log);
  CHECK((*log)->last_seq() == 11);
  REQUIRE((*log)->append(sample_rows(12, 5)));
  CHECK(count_sample_rows(**log) == 16);
}

TEST_CASE("a message is stored as its kind and wire bytes") {
  scratch dir;
  auto log = event_log::create(dir.path());
  REQUIRE(log);
  const doc_ref sent{concept_id{3}, doc_hash{"abc"}};
  REQUIRE((*log)->append({event_of(sent, "concept 3")}));
  std::vector<event_row> rows;
  REQUIRE((*log)->for_each([&](const event_row& row) -> result<void> {
    rows.push_back(row);
    return {};
  }));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].seq == 1);
  CHECK(rows[0].kind == "doc_ref");
  CHECK(rows[0].key == "concept 3");
  CHECK(*wire::decode<doc_ref>(rows[0].payload) == sent);
}

TEST_CASE("reading stops at the visitor's own error and returns it") {
  scratch dir;
  auto log = event_log::create(dir.path());
  REQUIRE(log);
  REQUIRE((*log)->append(sample_rows(1, 5)));
  int seen = 0;
  const auto done = (*log)->for_each([&](const event_row&) -> result<void> {
    if (++seen == 3) return error{ec::cancelled, "enough"};
    return {};
  });
  CHECK(refusal(done, ec::cancelled) == "enough");
  CHECK(seen == 3);
}

TEST_CASE("payloads of every size around the compression limit come back") {
  scratch dir;
  auto log = event_log::create(dir.path());
  REQUIRE(log);
  std::vector<event_row> sent;
  for (const std::size_t size : {0u, 1u, 511u, 512u, 513u, 4096u, 1'000'000u})
    for (const char fill : {'a', '\0'})
      sent.push_back({sent.size() + 1, "k", "", std::string(size, fill)});
  REQUIRE((*log)->append(sent));
  std::vector<event_row> got;
  REQUIRE((*log)->for_each([&](const event_row& row) -> result<void> {
    got.push_back(row);
    return {};
  }));
  CHECK(got == sent);
}

TEST_CASE("a long payload is stored compressed, a short one as it is") {
  const event_row text{1, "k", "", std::string(10'000, 'x')};
  CHECK(pack_row(1, text).payload.size() < 200);
  const event_row brief{1, "k", "", std::string(100, 'x')};
  CHECK(pack_row(1, brief).payload == brief.payload);
  rng draw{rng_key(1, "noise")};
  event_row noise{1, "k", "", std::string(2000, ' ')};
  for (auto& byte : noise.payload)
    byte = static_cast<char>(draw.below(256));
  CHECK(pack_row(1, noise).payload == noise.payload);
}

TEST_CASE("a payload that comes compressed is stored so, and read back whole") {
  scratch dir;
  const std::string whole(10'000, 'x');
  const event_row came{1, "k", "key", compress(whole), true};
  CHECK(pack_row(1, came).payload == came.payload);
  CHECK(pack_row(1, came).crc == pack_row(1, {1, "k", "key", whole}).crc);
  auto log = event_log::create(dir.path());
  REQUIRE(log);
  REQUIRE((*log)->append({came}));
  const auto row = (*log)->read(1);
  REQUIRE(row);
  CHECK(*row == event_row{1, "k", "key", whole});
}

TEST_CASE("a payload that only looks compressed is read back as it was") {
  scratch dir;
  auto log = event_log::create(dir.path());
  REQUIRE(log);
  const auto frame = compress(std::string(10'000, 'x'));
  REQUIRE((*log)->append({{0, "k", "", frame}}));
  const auto row = (*log)->read(1);
  REQUIRE(row);
  CHECK(row->payload == frame);
}

TEST_CASE("a payload that format 1 compressed by zlib is still read") {
  using namespace std::string_literals;
  const auto stored =
      "\x78\x01\xab\xa8\x18\x05\xa3\x21\x30\x1a\x02\xc3\x3d\x04\x00"s
      "\xaa\xf4\xd4\xd0"s;
  const auto payload = unpack_payload(stored, 1000);
  REQUIRE(payload);
  CHECK(*payload == std::string(1000, 'x'));
}

TEST_CASE("a log of format 1 is of this format once it is written") {
  scratch dir;
  REQUIRE(event_log::create(dir.path()));
  run_sql(dir.path(), "PRAGMA user_version = 1");
  {
    auto log = event_log::open(dir.path());
    REQUIRE(log);
    REQUIRE((*log)->append(sample_rows(1, 3)));
  }
  auto log = event_log::open_for_reading(dir.path());
  REQUIRE(log);
  CHECK(count_sample_rows(**log) == 3);
  auto db =
      database::open(dir.path() / "events.db", database::mode::read_only, {});
  REQUIRE(db);
  CHECK(*db->integer("PRAGMA user_version") == log_format);
}

TEST_CASE("the row's checksum is the CRC-32 of everything it says") {
  using namespace std::string_literals;
  CHECK(row_checksum(7, "kind", "key", 5, "bytes")
        == crc32("7 5\0kind\0key\0bytes"s));
  CHECK(row_checksum(7, "", "", 0, "") == crc32("7 0\0\0\0"s));
}

TEST_CASE("a payload that cannot be unpacked is corrupt, never a crash") {
  CHECK(refusal(unpack_payload("not zlib", 100), ec::corrupt)
        == "its payload cannot be unpacked");
  CHECK(refusal(unpack_payload("x", -1), ec::corrupt)
        == "its payload cannot be unpacked");
  CHECK(refusal(unpack_payload("x", std::int64_t{1} << 40), ec::corrupt)
        == "its payload cannot be unpacked");
  const auto packed = pack_row(1, {1, "", "", std::string(1000, 'x')});
  CHECK(refusal(unpack_payload(packed.payload, 999), ec::corrupt)
        == "its payload cannot be unpacked");
  CHECK(*unpack_payload(packed.payload, 1000) == std::string(1000, 'x'));
}

TEST_CASE("a payload too long to be read back is refused before it is stored") {
  scratch dir;
  auto log = event_log::create(dir.path());
  REQUIRE(log);
  event_row huge{0, "blob", "k", std::string(wire::max_message_bytes + 1, 'x')};
  if (GENERATE(false, true)) {
    huge.compressed = true;
    huge.payload = compress(huge.payload);
  }
  CHECK(contains(
      refusal((*log)->append({sample_row(1), huge}), ec::invalid_argument),
      "event blob k has 67108865 bytes"));
  CHECK(count_sample_rows(**log) == 0);
}

TEST_CASE("a new log replaces nothing") {
  scratch dir;
  const auto file = dir.path() / "events.db";
  std::ofstream{file} << "other";
  CHECK(contains(refusal(create_log_file(file, {}), ec::already_exists),
                 "cannot create " + file.string()));
  CHECK((*read_file(file) == "other"));
  CHECK_FALSE(std::filesystem::exists(dir.path() / "events.db.new"));
}

TEST_CASE("where a log cannot be looked for none is made") {
  scratch dir;
  const auto file = dir.path() / "events.db";
  std::filesystem::create_symlink(file, file); // which leads nowhere
  CHECK(contains(refusal(event_log::create(dir.path()), ec::io),
                 "cannot read " + file.string()));
  CHECK(std::filesystem::is_symlink(file));
}

TEST_CASE("create refuses a run that exists, open one that does not") {
  scratch dir;
  CHECK(contains(refusal(event_log::open(dir.path()), ec::not_found),
                 "events.db does not exist"));
  CHECK(
      contains(refusal(event_log::open_for_reading(dir.path()), ec::not_found),
               "events.db does not exist"));
  REQUIRE(event_log::create(dir.path()));
  CHECK(contains(refusal(event_log::create(dir.path()), ec::already_exists),
                 "exists already"));
  CHECK(contains(refusal(event_log::create(dir.path() / "none"), ec::not_found),
                 "none/lock"));
}

TEST_CASE("a log half made by a crash does not stop the next create") {
  scratch dir;
  std::ofstream{dir.path() / "events.db.new"} << "half";
  std::ofstream{dir.path() / "events.db.new-journal"} << "half";
  auto log = event_log::create(dir.path());
  REQUIRE(log);
  CHECK_FALSE(std::filesystem::exists(dir.path() / "events.db.new"));
}

TEST_CASE("a second writer is refused with the process id of the first") {
  scratch dir;
  auto log = event_log::create(dir.path());
  REQUIRE(log);
  const auto self = "process " + std::to_string(::getpid());
  CHECK(contains(refusal(event_log::open(dir.path()), ec::in_use), self));
  CHECK(contains(refusal(event_log::create(dir.path()), ec::in_use), self));
  const auto child = ::fork();
  if (child == 0) {
    const auto second = event_log::open(dir.path());
    const bool refused = !second && second.error().code == ec::in_use
                         && contains(second.error().message, self);
    ::_exit(refused ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  log->reset();
  CHECK(event_log::open(dir.path()));
}

TEST_CASE("the lock ends with its holder, however that ends") {
  scratch dir;
  REQUIRE(event_log::create(dir.path()));
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const auto child = ::fork();
  if (child == 0) {
    const auto opened = event_log::open(dir.path());
    (void)!::write(ready[1], opened ? "y" : "n", 1);
    ::pause();
    ::_exit(0);
  }
  char opened = 0;
  REQUIRE(::read(ready[0], &opened, 1) == 1);
  CHECK(opened == 'y');
  CHECK(contains(refusal(event_log::open(dir.path()), ec::in_use),
                 "process " + std::to_string(child)));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  ::close(ready[0]);
  ::close(ready[1]);
  CHECK(event_log::open(dir.path()));
}

TEST_CASE("a log takes nothing while its directory is not where it was") {
  namespace fs = std::filesystem;
  scratch dir;
  const auto place = dir.path() / "run", away = dir.path() / "away";
  fs::create_directory(place);
  auto log = event_log::create(place);
  REQUIRE(log);
  const std::vector<event_row> one{{0, "note", "a", "text", false}};
  CHECK((*log)->append(one));
  fs::rename(place, away);
  CHECK(contains(refusal((*log)->append(one), ec::io),
                 place.string() + " is not where it was"));
  CHECK_FALSE(fs::exists(place));
  // Nor if somebody made one of that name.
  fs::create_directory(place);
  CHECK(refusal((*log)->append(one), ec::io) != "");
  const auto other = directory_lock::take(place);
  REQUIRE(other);
  CHECK(refusal((*log)->append(one), ec::io) != "");
  fs::remove_all(place);
  fs::rename(away, place);
  CHECK((*log)->append(one));
  CHECK((*log)->last_seq() == 2);
}

TEST_CASE("a reader beside the writer sees what was acknowledged by then") {
  scratch dir;
  auto writer = event_log::create(dir.path());
  REQUIRE(writer);
  REQUIRE((*writer)->append(sample_rows(1, 3)));
  auto reader = event_log::open_for_reading(dir.path());
  REQUIRE(reader);
  CHECK((*reader)->last_seq() == 3);
  // It also grows while somebody reads it.
  std::uint64_t seen = 0;
  REQUIRE((*reader)->for_each([&](const event_row&) -> result<void> {
    if (++seen == 1) return (*writer)->append(sample_rows(4, 2));
    return {};
  }));
  CHECK(seen == 3);
  CHECK(count_sample_rows(**reader) == 5);
}

TEST_CASE("a log written by a newer version is refused with both versions") {
  scratch dir;
  REQUIRE(event_log::create(dir.path()));
  const auto newer = GENERATE("PRAGMA user_version = 3",
                              "UPDATE meta SET value = 2 WHERE key = 'schema'");
  run_sql(dir.path(), std::string{newer}
                          + ";UPDATE meta SET value = '7.1.0' WHERE key = "
                            "'brewery'");
  const auto message =
      refusal(event_log::open(dir.path()), ec::version_mismatch);
  INFO(message);
  CHECK(contains(message, "written by brewery 7.1.0"));
  CHECK(contains(message, "this is brewery " BREWERY_VERSION));
  CHECK(contains(message, "use brewery 7.1.0 or newer"));
  CHECK(contains(
      refusal(event_log::open_for_reading(dir.path()), ec::version_mismatch),
      "7.1.0"));
}

TEST_CASE("a log of a newer build of this version asks for a newer build") {
  scratch dir;
  REQUIRE(event_log::create(dir.path()));
  run_sql(dir.path(), "PRAGMA user_version = 3");
  const auto message =
      refusal(event_log::open(dir.path()), ec::version_mismatch);
  CHECK(contains(message, "; use a newer build"));
}

TEST_CASE("nobody changes or removes a row, even with a database shell") {
  scratch dir;
  {
    auto log = event_log::create(dir.path());
    REQUIRE(log);
    REQUIRE((*log)->append(sample_rows(1, 3)));
  }
  const auto append_only = "the event log is append-only";
  const auto numbered = "events are numbered without gaps";
  CHECK(contains(sql_refusal(dir.path(), "DELETE FROM events"), append_only));
  CHECK(contains(sql_refusal(dir.path(), "UPDATE events SET key = ''"),
                 append_only));
  for (const auto* sql :
       {"INSERT INTO events VALUES(5, '', '', 0, '', 0)",
        "INSERT INTO events VALUES(-1, '', '', 0, '', 0)",
        "INSERT OR REPLACE INTO events VALUES(2, '', '', 0, '', 0)"})
    CHECK(contains(sql_refusal(dir.path(), sql), numbered));
  auto log = event_log::open(dir.path());
  REQUIRE(log);
  CHECK(count_sample_rows(**log) == 3);
}

TEST_CASE("an event is read by its number, and only if it is there") {
  scratch dir;
  auto log = event_log::create(dir.path());
  REQUIRE(log);
  const auto rows = sample_rows(1, 3);
  REQUIRE((*log)->append(rows));
  for (int round = 0; round < 2; ++round)
    for (const std::uint64_t seq : {3, 1}) {
      const auto row = (*log)->read(seq);
      REQUIRE(row);
      CHECK(row->seq == seq);
      CHECK(row->key == rows[seq - 1].key);
      CHECK(row->payload == rows[seq - 1].payload);
    }
  for (const std::uint64_t seq : {0, 4})
    CHECK((*log)->read(seq).error().code == ec::not_found);
}

TEST_CASE("events of the packed kind come without payload, others with it") {
  scratch dir;
  auto log = event_log::create(dir.path());
  REQUIRE(log);
  const std::string large(5000, 'x');
  REQUIRE((*log)->append({{0, "big", "a", large}, {0, "small", "b", "y"}}));
  std::vector<std::string> seen;
  REQUIRE((*log)->for_each(
      [&](const event_row& row) -> result<void> {
        seen.push_back(row.kind + row.key + row.payload);
        return {};
      },
      "big"));
  CHECK(seen == std::vector<std::string>{"biga", "smallby"});
  CHECK((*log)->read(1)->payload == large);
}

TEST_CASE(
    "a damaged event of the packed kind is found before it is asked for") {
  scratch dir;
  {
    auto log = event_log::create(dir.path());
    REQUIRE(log);
    REQUIRE((*log)->append({{0, "big", "a", std::string(5000, 'x')}}));
  }
  auto db =
      database::open(dir.path() / "events.db", database::mode::read_write, {});
  REQUIRE(db);
  const auto trigger = db->text("SELECT name FROM sqlite_master WHERE type = "
                                "'trigger' AND sql LIKE '%UPDATE%'");
  REQUIRE(trigger);
  REQUIRE(db->execute(("DROP TRIGGER " + *trigger).c_str()));
  REQUIRE(db->execute("UPDATE events SET payload = x'00'"));
  auto log = event_log::open(dir.path());
  REQUIRE(log);
  const auto read = (*log)->for_each(
      [](const event_row&) -> result<void> { return {}; }, "big");
  CHECK(read.error().code == ec::corrupt);
  CHECK((*log)->read(1).error().code == ec::corrupt);
}

#include "store/event_schema.hpp"

#include "base/file.hpp"
#include "messages/wire/codec.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace brewery {

namespace {

/// "BREW" in the file's header. It lets Brewery and `file events.db` tell the
/// log from other databases.
constexpr std::int64_t application_id = 0x42524557;

/// `size` is the payload's length before compression. The payload is compressed
/// if its length differs. The triggers protect against edits in a database
/// shell; the program itself never updates or deletes rows.
constexpr const char* tables = R"(
  CREATE TABLE meta(key TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
  CREATE TABLE events(
    seq INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    size INTEGER NOT NULL,
    payload BLOB NOT NULL,
    crc INTEGER NOT NULL);
  CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END;
  CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END;
  CREATE TRIGGER events_are_numbered BEFORE INSERT ON events
    WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM events)
    BEGIN SELECT RAISE(ABORT, 'events are numbered without gaps'); END;
)";

result<void> fill(const std::filesystem::path& file, const std::string& vfs) {
  auto db = database::open(file, database::mode::create, vfs);
  if (!db) return db.error();
  const auto sql =
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};"
                  "PRAGMA synchronous = FULL; BEGIN; {} INSERT INTO meta VALUES"
                  "('brewery', '{}'), ('schema', {}); COMMIT;",
                  application_id, log_format, tables, BREWERY_VERSION,
                  wire::schema_version);
  return db->execute(sql.c_str());
}

/// Gives a file its name unless something has it.
result<void> move_to_free(const std::filesystem::path& from,
                          const std::filesystem::path& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(),
                  RENAME_NOREPLACE)
      == 0)
    return {};
  if (errno != EINVAL && errno != ENOSYS) return file_error("create", to);
  // This file system can only replace. A second name replaces nothing either.
  if (::link(from.c_str(), to.c_str()) == 0) {
    ::unlink(from.c_str());
    return {};
  }
  // Nor has it second names: whoever makes a log has looked before.
  const bool unable = errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS;
  if (!unable || std::rename(from.c_str(), to.c_str()) != 0)
    return file_error("create", to);
  return {};
}

} // namespace

result<void> create_log_file(const std::filesystem::path& file,
                             const std::string& vfs) {
  auto fresh = file;
  fresh += ".new";
  std::error_code ignored;
  // Left over from a crash here. Its journal must not be applied to the new
  // file.
  std::filesystem::remove(fresh, ignored);
  std::filesystem::remove(fresh.string() + "-journal", ignored);
  auto done = fill(fresh, vfs);
  if (done) done = move_to_free(fresh, file);
  if (!done) {
    std::filesystem::remove(fresh, ignored);
    return done;
  }
  return sync_directory(file.parent_path());
}

result<void> check_log_file(database& db, const std::filesystem::path& file) {
  const auto application = db.integer("PRAGMA application_id");
  if (!application) return application.error();
  if (*application != application_id)
    return error{ec::corrupt,
                 fmt::format("{} is not an event log of Brewery; is this a run "
                             "directory?",
                             file.string())};
  const auto format = db.integer("PRAGMA user_version");
  if (!format) return format.error();
  // Every format has this row, so a later version can be named.
  const auto version = db.text("SELECT value FROM meta WHERE key = 'brewery'");
  if (!version) return version.error();
  const auto schema = db.integer("SELECT value FROM meta WHERE key = 'schema'");
  if (!schema) return schema.error();
  if (*format <= log_format && *schema <= wire::schema_version) return {};
  // Builds of one version may differ, before it is released.
  const auto wanted = *version == BREWERY_VERSION
                          ? std::string{"a newer build"}
                          : fmt::format("brewery {} or newer", *version);
  return error{
      ec::version_mismatch,
      fmt::format(
          "{} was written by brewery {} (log format {}, schema {}); this "
          "is brewery {}, which reads up to format {}, schema {}; use {}",
          file.string(), *version, *format, *schema, BREWERY_VERSION,
          log_format, wire::schema_version, wanted)};
}

result<void> raise_log_format(database& db) {
  const auto format = db.integer("PRAGMA user_version");
  if (!format) return format.error();
  if (*format >= log_format) return {};
  return db.execute(
      fmt::format("PRAGMA user_version = {}", log_format).c_str());
}

database::mode mode_for_reading(const std::filesystem::path& file) {
  std::error_code none;
  const auto size = std::filesystem::file_size(file.string() + "-wal", none);
  const bool closed = none || size == 0;
  return closed && ::access(file.parent_path().c_str(), W_OK) != 0
             ? database::mode::frozen
             : database::mode::read_only;
}

} // namespace brewery

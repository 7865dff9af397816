#include "store/event_log.hpp"

#include "base/text.hpp"
#include "store/ack_file.hpp"
#include "store/event_schema.hpp"
#include "store/log_exchange.hpp"
#include "store/row_reading.hpp"
#include "store/stored_row.hpp"

#include <fmt/format.h>

#include <optional>
#include <unistd.h>

namespace brewery {

struct event_log::state {
  std::filesystem::path file;
  std::optional<directory_lock> lock; ///< only of the writer
  std::optional<ack_file> ack;        ///< only of the writer
  database db;
  statement begin, insert, commit; ///< only of the writer
  std::optional<statement> by_seq; ///< prepared at the first use
  std::uint64_t last_seq = 0;
};

namespace {

std::filesystem::path log_in(const std::filesystem::path& directory) {
  return directory / "events.db";
}

error lost_rows(const std::filesystem::path& file, std::uint64_t last,
                std::uint64_t acknowledged) {
  return {ec::corrupt,
          fmt::format("{} ends with row {}, but row {} was acknowledged: "
                      "events.db or events.db-wal was damaged, removed or "
                      "replaced{}",
                      file.string(), last, acknowledged, mend_log)};
}

result<std::uint64_t> acknowledged_in(const std::filesystem::path& directory) {
  auto out = ack_file::read(directory);
  if (out || out.error().code != ec::corrupt) return out;
  return error{ec::corrupt,
               out.error().message
                   + "; `brewery log check RUN` says whether events.db is "
                     "intact, `brewery log salvage RUN` mends it"};
}

/// Of a write, which knows no row that is damaged.
error failed_write(const std::string& what, const error& why) {
  return {why.code, fmt::format("cannot {}: {}{}", what, why.message,
                                why.code == ec::corrupt ? mend_log : "")};
}

result<std::uint64_t> find_last(database& db,
                                const std::filesystem::path& directory,
                                std::uint64_t acknowledged) {
  const auto last = db.integer("SELECT coalesce(max(seq), 0) FROM events");
  if (!last) return last.error();
  const auto seq = static_cast<std::uint64_t>(*last);
  if (seq < acknowledged)
    return lost_rows(log_in(directory), seq, acknowledged);
  return seq;
}

result<database> open_checked(const std::filesystem::path& file,
                              database::mode how, const std::string& vfs) {
  if (auto ok = check_not_exchanged(file.parent_path()); !ok) return ok.error();
  std::error_code failed;
  if (!std::filesystem::exists(file, failed) && failed)
    return file_error(failed.value(), "read", file);
  if (!std::filesystem::exists(file, failed))
    return error{ec::not_found,
                 fmt::format("{} does not exist; is {} a run directory?",
                             file.string(), file.parent_path().string())};
  auto db = database::open(file, how, vfs);
  if (!db) return db.error();
  if (auto done = db->execute("PRAGMA cell_size_check = ON"); !done)
    return done.error();
  if (auto known = check_log_file(*db, file); !known) return known.error();
  return db;
}

/// Makes a commit one write and one sync of the write-ahead file.
result<void> set_durability(database& db, const std::filesystem::path& file) {
  const auto mode = db.text("PRAGMA journal_mode = WAL");
  if (!mode) return mode.error();
  if (*mode != "wal")
    return error{ec::io, fmt::format("{}: this file system cannot hold a "
                                     "write-ahead log (mode '{}'); use a local "
                                     "disk",
                                     file.string(), *mode)};
  return db.execute("PRAGMA synchronous = FULL");
}

} // namespace

event_log::event_log(std::unique_ptr<state> opened)
    : state_(std::move(opened)) {}

event_log::~event_log() = default;

std::uint64_t event_log::last_seq() const {
  return state_->last_seq;
}

result<std::unique_ptr<event_log>>
event_log::create(const std::filesystem::path& directory,
                  const std::string& vfs) {
  auto lock = directory_lock::take(directory);
  if (!lock) return lock.error();
  return create(directory, std::move(*lock), vfs);
}

result<std::unique_ptr<event_log>>
event_log::create(const std::filesystem::path& directory, directory_lock lock,
                  const std::string& vfs) {
  if (auto ok = check_not_exchanged(directory); !ok) return ok.error();
  const auto file = log_in(directory);
  std::error_code failed;
  const bool there = std::filesystem::exists(file, failed);
  if (failed) return file_error(failed.value(), "read", file);
  if (there)
    return error{ec::already_exists,
                 fmt::format("{} exists already; resume that run or choose "
                             "another directory",
                             file.string())};
  if (auto made = create_log_file(file, vfs); !made) return made.error();
  return open_locked(std::move(lock), directory, vfs);
}

result<std::unique_ptr<event_log>>
event_log::open(const std::filesystem::path& directory,
                const std::string& vfs) {
  auto lock = directory_lock::take(directory);
  if (!lock) return lock.error();
  return open_locked(std::move(*lock), directory, vfs);
}

result<std::unique_ptr<event_log>>
event_log::open_locked(directory_lock lock,
                       const std::filesystem::path& directory,
                       const std::string& vfs) {
  auto opened = std::make_unique<state>();
  opened->file = log_in(directory);
  opened->lock = std::move(lock);
  const auto acknowledged = acknowledged_in(directory);
  if (!acknowledged) return acknowledged.error();
  auto db = open_checked(opened->file, database::mode::read_write, vfs);
  if (!db) return db.error();
  opened->db = std::move(*db);
  if (auto done = set_durability(opened->db, opened->file); !done)
    return done.error();
  if (auto done = raise_log_format(opened->db); !done) return done.error();
  const auto last = find_last(opened->db, directory, *acknowledged);
  if (!last) return last.error();
  opened->last_seq = *last;
  auto ack = ack_file::open(directory);
  if (!ack) return ack.error();
  opened->ack = std::move(*ack);
  // Each result may be a transaction of its own, so nothing is parsed in one.
  const auto prepare = [&db = opened->db](statement& made, const char* sql) {
    auto prepared = db.prepare(sql);
    if (!prepared) return result<void>{prepared.error()};
    made = std::move(*prepared);
    return result<void>{};
  };
  auto ok = prepare(opened->begin, "BEGIN IMMEDIATE");
  if (ok)
    ok = prepare(opened->insert,
                 "INSERT INTO events VALUES(?1, ?2, ?3, ?4, ?5, ?6)");
  if (ok) ok = prepare(opened->commit, "COMMIT");
  if (!ok) return ok.error();
  return std::unique_ptr<event_log>{new event_log{std::move(opened)}};
}

result<std::unique_ptr<event_log>>
event_log::open_for_reading(const std::filesystem::path& directory,
                            const std::string& vfs) {
  auto opened = std::make_unique<state>();
  opened->file = log_in(directory);
  // Read before the log is opened: the log must contain every row that was
  // acknowledged by now.
  const auto acknowledged = acknowledged_in(directory);
  if (!acknowledged) return acknowledged.error();
  auto db = open_checked(opened->file, mode_for_reading(opened->file), vfs);
  if (!db) return db.error();
  opened->db = std::move(*db);
  const auto last = find_last(opened->db, directory, *acknowledged);
  if (!last) return last.error();
  opened->last_seq = *last;
  return std::unique_ptr<event_log>{new event_log{std::move(opened)}};
}

namespace {

result<void> execute(statement& prepared) {
  const auto done = prepared.step();
  prepared.reset();
  if (!done) return done.error();
  return {};
}

/// The begin or end of a transaction.
result<void> execute(statement& prepared, const std::filesystem::path& file) {
  auto done = execute(prepared);
  if (!done)
    return error{done.error().code,
                 fmt::format("cannot write {}: {}", file.string(),
                             done.error().message)};
  return done;
}

result<void> insert_rows(statement& insert, std::uint64_t seq,
                         const std::vector<event_row>& batch) {
  for (const auto& row : batch) {
    const auto stored = pack_row(++seq, row);
    insert.bind(1, static_cast<std::int64_t>(seq));
    insert.bind_text(2, row.kind);
    insert.bind_text(3, row.key);
    insert.bind(4, stored.size);
    insert.bind_blob(5, stored.payload);
    insert.bind(6, stored.crc);
    if (auto done = execute(insert); !done) return done;
  }
  return {};
}

} // namespace

result<void> event_log::append(const std::vector<event_row>& batch) {
  BREWERY_ASSERT(state_->lock.has_value());
  if (batch.empty()) return {};
  for (const auto& row : batch)
    if (payload_size(row) > wire::max_message_bytes)
      return error{
          ec::invalid_argument,
          fmt::format("event {} {} has {} bytes, more than the {} that "
                      "can be read back",
                      row.kind, row.key, payload_size(row),
                      wire::max_message_bytes)};
  // Open files would take it, but nobody would find it under its name.
  if (auto ok = in_place(); !ok) return ok;
  auto& db = state_->db;
  auto done = execute(state_->begin, state_->file);
  if (done) done = insert_rows(state_->insert, state_->last_seq, batch);
  if (done) done = execute(state_->commit, state_->file);
  if (!done) {
    // SQLite ends the transaction itself after some failures.
    if (db.in_transaction()) (void)!db.execute("ROLLBACK");
    return failed_write(fmt::format("append {} to {}",
                                    counted(batch.size(), "event"),
                                    state_->file.string()),
                        done.error());
  }
  state_->last_seq += batch.size();
  state_->ack->acknowledge(state_->last_seq);
  return {};
}

result<void> event_log::in_place() const {
  return state_->lock->in_place();
}

result<void> event_log::settle() {
  // Its row: whether another connection was in the way, and two counts.
  auto move = state_->db.prepare("PRAGMA wal_checkpoint(TRUNCATE)");
  if (!move) return move.error();
  const auto done = move->step();
  if (!done)
    return failed_write("write " + state_->file.string(), done.error());
  if (!*done || move->integer(0) != 0)
    return error{ec::in_use,
                 fmt::format("cannot write {}: another process reads it",
                             state_->file.string())};
  return {};
}

result<event_row> event_log::read(std::uint64_t seq) const {
  auto& query = state_->by_seq;
  if (!query) {
    auto made = rows_by_number(state_->db);
    if (!made) return made.error();
    query = std::move(*made);
  }
  return read_numbered(*query, {state_->file, seq});
}

result<void> event_log::for_each(const visitor& visit,
                                 std::string_view packed) const {
  auto query = state_->db.prepare("SELECT seq, kind, key, size, payload, crc "
                                  "FROM events ORDER BY seq");
  if (!query) return query.error();
  std::uint64_t seen = 0;
  for (;;) {
    const row_place next{state_->file, seen + 1, true};
    const auto more = query->step();
    if (!more) return read_failed(next, more.error());
    if (!*more) break;
    const auto row = read_row(*query, next, packed);
    if (!row) return row.error();
    ++seen;
    if (auto done = visit(*row); !done) return done;
  }
  if (seen < state_->last_seq)
    return lost_rows(state_->file, seen, state_->last_seq);
  return {};
}

} // namespace brewery

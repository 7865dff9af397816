#include "store/database.hpp"

#include <fmt/format.h>

#include <cerrno>

namespace brewery {

namespace {

ec code_of(int code, int system_errno) {
  switch (code & 0xff) {
  case SQLITE_FULL:
    return ec::disk_full;
  case SQLITE_CORRUPT:
  case SQLITE_NOTADB:
  case SQLITE_MISMATCH:
    return ec::corrupt;
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return ec::in_use;
  case SQLITE_IOERR:
    return system_errno == ENOSPC || system_errno == EDQUOT ? ec::disk_full
                                                            : ec::io;
  default:
    return ec::io;
  }
}

/// Tells the user what to do about the error; of damage the caller knows.
std::string_view advice(ec code) {
  switch (code) {
  case ec::disk_full:
    return "; free some space and continue";
  case ec::in_use:
    return "; another process holds it";
  default:
    return "";
  }
}

int flags_of(database::mode how) {
  const int common = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  switch (how) {
  case database::mode::frozen:
    return common | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
  case database::mode::read_only:
    return common | SQLITE_OPEN_READONLY;
  case database::mode::read_write:
    return common | SQLITE_OPEN_READWRITE;
  case database::mode::create:
    return common | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  }
  return common;
}

/// The name of the file for SQLite, which takes options in a URI only.
std::string name_of(const std::filesystem::path& file, database::mode how) {
  if (how != database::mode::frozen) return file.string();
  std::string out = "file:";
  for (const char c : std::filesystem::absolute(file).string())
    if (c == '%' || c == '?' || c == '#')
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      out += c;
  return out + "?immutable=1";
}

} // namespace

void statement::bind(int parameter, std::int64_t value) {
  BREWERY_ASSERT(sqlite3_bind_int64(raw_.get(), parameter, value) == SQLITE_OK);
}

void statement::bind_text(int parameter, std::string_view text) {
  BREWERY_ASSERT(sqlite3_bind_text64(raw_.get(), parameter, text.data(),
                                     text.size(), SQLITE_STATIC, SQLITE_UTF8)
                 == SQLITE_OK);
}

void statement::bind_blob(int parameter, std::string_view bytes) {
  // A null pointer would bind NULL instead of an empty blob.
  const auto* data = bytes.empty() ? "" : bytes.data();
  BREWERY_ASSERT(sqlite3_bind_blob64(raw_.get(), parameter, data, bytes.size(),
                                     SQLITE_STATIC)
                 == SQLITE_OK);
}

result<bool> statement::step() {
  const int code = sqlite3_step(raw_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  auto* connection = sqlite3_db_handle(raw_.get());
  const auto kind = code_of(code, sqlite3_system_errno(connection));
  return error{kind,
               fmt::format("{}{}", sqlite3_errmsg(connection), advice(kind))};
}

void statement::reset() {
  // Returns the code of a failed step() again, which step() has reported.
  sqlite3_reset(raw_.get());
}

std::int64_t statement::integer(int column) const {
  return sqlite3_column_int64(raw_.get(), column);
}

std::string_view statement::bytes(int column) const {
  const auto* data = sqlite3_column_blob(raw_.get(), column);
  const auto size = sqlite3_column_bytes(raw_.get(), column);
  return {static_cast<const char*>(data), static_cast<std::size_t>(size)};
}

result<database> database::open(const std::filesystem::path& file, mode how,
                                const std::string& vfs,
                                std::string_view if_damaged) {
  // SQLite would wait for ever for the writer of a pipe.
  std::error_code none;
  if (const auto there = std::filesystem::status(file, none);
      std::filesystem::exists(there)
      && !std::filesystem::is_regular_file(there))
    return error{ec::io, fmt::format("cannot open {}: it is no plain file",
                                     file.string())};
  sqlite3* raw = nullptr;
  const int code =
      sqlite3_open_v2(name_of(file, how).c_str(), &raw, flags_of(how),
                      vfs.empty() ? nullptr : vfs.c_str());
  database opened;
  opened.raw_.reset(raw);
  opened.file_ = file;
  opened.if_damaged_ = if_damaged;
  if (raw == nullptr) return error{ec::io, "out of memory opening SQLite"};
  if (code != SQLITE_OK) return opened.failure("open");
  // For the short locks of SQLite itself, such as recovery by a reader. The
  // directory lock keeps writers apart.
  sqlite3_busy_timeout(raw, 10'000);
  return opened;
}

result<void> database::execute(const char* sql) {
  if (sqlite3_exec(raw_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK)
    return failure("write");
  return {};
}

result<statement> database::prepare(const char* sql) {
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v2(raw_.get(), sql, -1, &raw, nullptr) != SQLITE_OK)
    return failure("read");
  statement prepared;
  prepared.raw_.reset(raw);
  return prepared;
}

result<std::int64_t> database::integer(const char* sql) {
  auto query = prepare(sql);
  if (!query) return query.error();
  const auto row = query->step();
  if (!row) return failure("read");
  if (!*row) return no_answer(sql);
  return query->integer(0);
}

result<std::string> database::text(const char* sql) {
  auto query = prepare(sql);
  if (!query) return query.error();
  const auto row = query->step();
  if (!row) return failure("read");
  if (!*row) return no_answer(sql);
  return std::string{query->bytes(0)};
}

bool database::in_transaction() const {
  return sqlite3_get_autocommit(raw_.get()) == 0;
}

error database::failure(std::string_view what) const {
  const auto kind =
      code_of(sqlite3_errcode(raw_.get()), sqlite3_system_errno(raw_.get()));
  return {kind, fmt::format("cannot {} {}: {}{}", what, file_.string(),
                            sqlite3_errmsg(raw_.get()),
                            kind == ec::corrupt ? if_damaged_ : advice(kind))};
}

error database::no_answer(const char* sql) const {
  return {ec::corrupt, fmt::format("{} has no answer to '{}'{}", file_.string(),
                                   sql, if_damaged_)};
}

} // namespace brewery

#include "envs/osworld/grading/sqlite_file.hpp"

#include "base/utf8.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <memory>

namespace brewery::osworld {

namespace {

constexpr int steps_between_looks = 10'000;
constexpr int looks_most = 20'000; // 200 million steps: seconds

struct closes {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
  void operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
  }
};
using database = std::unique_ptr<sqlite3, closes>;
using statement = std::unique_ptr<sqlite3_stmt, closes>;

error refused(sqlite3* db) {
  return {ec::malformed,
          fmt::format("SQLite: {}", db ? sqlite3_errmsg(db) : "no memory")};
}

/// A database in memory has no write-ahead log; what the file alone holds is
/// read as with the older journal. Bytes 18 and 19: SQLite's file format, 1.3.
void forget_log(std::string& bytes) {
  if (bytes.size() < 100) return;
  for (const std::size_t at : {18U, 19U})
    if (bytes[at] == 2) bytes[at] = 1;
}

/// `bytes` has to outlive it.
result<database> opened(std::string& bytes) {
  sqlite3* made = nullptr;
  const int code = sqlite3_open_v2(
      ":memory:", &made, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, nullptr);
  database db{made};
  if (code != SQLITE_OK) return refused(made);
  forget_log(bytes);
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  if (!bytes.empty()
      && sqlite3_deserialize(made, "main",
                             reinterpret_cast<unsigned char*>(bytes.data()),
                             size, size, SQLITE_DESERIALIZE_READONLY)
             != SQLITE_OK)
    return refused(made);
  sqlite3_db_config(made, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(made, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_limit(made, SQLITE_LIMIT_ATTACHED, 0);
  return db;
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto next = decode_utf8(text, at);
    if (next.value == 0xfffd && next.size == 1) return false;
    at += next.size;
  }
  return true;
}

result<json> value_at(sqlite3_stmt* row, int column) {
  switch (sqlite3_column_type(row, column)) {
  case SQLITE_INTEGER:
    return json(static_cast<std::int64_t>(sqlite3_column_int64(row, column)));
  case SQLITE_FLOAT:
    return json(sqlite3_column_double(row, column));
  case SQLITE_TEXT: {
    const auto* text = sqlite3_column_text(row, column);
    const auto size = sqlite3_column_bytes(row, column);
    std::string out{reinterpret_cast<const char*>(text),
                    static_cast<std::size_t>(size)};
    if (!is_utf8(out))
      return error{ec::malformed, "SQLite: a text is not UTF-8"};
    return json(std::move(out));
  }
  default:
    return json{};
  }
}

result<json> row_of(sqlite3_stmt* row) {
  json out = json::array();
  for (int i = 0; i < sqlite3_column_count(row); ++i) {
    auto value = value_at(row, i);
    if (!value) return value.error();
    out.push_back(std::move(*value));
  }
  return out;
}

} // namespace

result<std::vector<json>> sqlite_rows(std::string bytes,
                                      const std::string& query,
                                      std::size_t rows_most) {
  const auto db = opened(bytes);
  if (!db) return db.error();
  int looks = 0;
  sqlite3_progress_handler(
      db->get(), steps_between_looks,
      [](void* counted) {
        return ++*static_cast<int*>(counted) > looks_most ? 1 : 0;
      },
      &looks);
  sqlite3_stmt* made = nullptr;
  const int prepared =
      sqlite3_prepare_v2(db->get(), query.c_str(), -1, &made, nullptr);
  const statement ready{made};
  if (prepared != SQLITE_OK || !made) return refused(db->get());
  std::vector<json> out;
  while (out.size() < rows_most) {
    const int code = sqlite3_step(made);
    if (code == SQLITE_DONE) return out;
    if (code == SQLITE_INTERRUPT)
      return error{ec::exhausted, "SQLite: the query takes too long"};
    if (code != SQLITE_ROW) return refused(db->get());
    auto row = row_of(made);
    if (!row) return row.error();
    out.push_back(std::move(*row));
  }
  return out;
}

} // namespace brewery::osworld

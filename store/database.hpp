#pragma once
/// RAII wrappers of SQLite connections and statements that report failures as
/// errors. Only what writes, reads and checks the event log uses them.

#include "base/result.hpp"

#include <sqlite3.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace brewery {

/// What to do about a damaged log.
inline constexpr std::string_view mend_log =
    "; `brewery log check RUN` says what is left, `brewery log salvage RUN` "
    "cuts the damage out";

class statement {
public:
  statement() = default;

  /// Parameters count from 1. Bound text and blobs must stay valid until
  /// step().
  void bind(int parameter, std::int64_t value);
  void bind_text(int parameter, std::string_view text);
  void bind_blob(int parameter, std::string_view bytes);

  /// True: a row is available. False: no more rows. Error ec::corrupt says
  /// nothing about what to do, as only the caller knows which row it is.
  result<bool> step();
  void reset();

  /// Columns count from 0. Views are valid until the next step().
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] std::string_view bytes(int column) const;

private:
  friend class database;
  struct finalizer {
    void operator()(sqlite3_stmt* raw) const { sqlite3_finalize(raw); }
  };
  std::unique_ptr<sqlite3_stmt, finalizer> raw_;
};

/// One connection, used by one thread at a time.
class database {
public:
  /// `frozen`: read-only, and nobody writes the file meanwhile. Needs no right
  /// to write in its directory.
  enum class mode { frozen, read_only, read_write, create };

  /// `vfs`: the name of a registered SQLite VFS; empty for the default. Tests
  /// register one that fails. `if_damaged`: ends the errors about damage; a
  /// constant.
  static result<database> open(const std::filesystem::path& file, mode how,
                               const std::string& vfs,
                               std::string_view if_damaged = mend_log);

  result<void> execute(const char* sql);
  result<statement> prepare(const char* sql);

  /// The first column of the first row.
  result<std::int64_t> integer(const char* sql);
  result<std::string> text(const char* sql);

  /// True between BEGIN and COMMIT.
  [[nodiscard]] bool in_transaction() const;

  /// The last failure of the connection, e.g. "cannot append to
  /// runs/1/events.db: database or disk is full".
  [[nodiscard]] error failure(std::string_view what) const;

private:
  struct closer {
    void operator()(sqlite3* raw) const { sqlite3_close_v2(raw); }
  };
  [[nodiscard]] error no_answer(const char* sql) const;

  std::unique_ptr<sqlite3, closer> raw_;
  std::filesystem::path file_;
  std::string_view if_damaged_ = mend_log;
};

} // namespace brewery

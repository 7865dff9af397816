#include "store/log_check.hpp"

#include "store/ack_file.hpp"
#include "store/event_schema.hpp"
#include "store/log_exchange.hpp"
#include "store/row_reading.hpp"

#include <algorithm>

namespace brewery {

namespace fs = std::filesystem;

namespace {

result<database> open_damaged(const fs::path& file) {
  if (auto ok = check_not_exchanged(file.parent_path()); !ok) return ok.error();
  std::error_code ignored;
  if (!fs::exists(file, ignored))
    return error{ec::not_found, file.string() + " does not exist"};
  auto db = database::open(file, mode_for_reading(file), {},
                           "; nothing of it can be read: restore it from a "
                           "copy, or start a new run");
  if (!db) return db.error();
  // Without it SQLite reads nothing of a file that is shorter than it says.
  if (auto ok = db->execute("PRAGMA writable_schema = ON"); !ok)
    return ok.error();
  if (auto known = check_log_file(*db, file); !known) return known.error();
  return db;
}

std::uint64_t size_of_file(const fs::path& file) {
  std::error_code none;
  const auto size = fs::file_size(file, none);
  return none ? 0 : size;
}

/// Which numbers of rows are looked up. Two places tell the last one, and each
/// may be damaged: the highest number in the log, and events.ack.
struct extent {
  std::uint64_t sure = 0;    ///< up to here in any case
  std::uint64_t maybe = 0;   ///< up to here while there are rows
  std::uint64_t claimed = 0; ///< the highest that is told
  result<void> acknowledged;
};

extent extent_of(database& db, const fs::path& file) {
  // The least that SQLite needs for a row of the log. More do not fit.
  constexpr std::uint64_t row_bytes_min = 11;
  const auto possible =
      (size_of_file(file) + size_of_file(file.string() + "-wal"))
      / row_bytes_min;
  const auto told = ack_file::read(file.parent_path());
  const std::uint64_t acknowledged = told ? *told : 0;
  std::uint64_t in_log = 0;
  const auto read = db.integer("SELECT coalesce(max(seq), 0) FROM events");
  if (read && *read > 0) in_log = static_cast<std::uint64_t>(*read);
  extent out;
  if (!told) out.acknowledged = told.error();
  out.claimed = std::max(acknowledged, in_log);
  if (read && in_log <= possible) {
    out.sure = in_log;
    out.maybe = std::min(acknowledged, possible);
  } else {
    out.sure = acknowledged <= possible ? acknowledged : 0;
    out.maybe = possible;
  }
  return out;
}

/// Kind and key, which can often be read where the row is damaged.
class label_reader {
public:
  explicit label_reader(database& db)
      : query_(db.prepare("SELECT kind, key FROM events WHERE seq = ?1")) {}

  void read(damaged_row& row) {
    if (!query_) return;
    query_->bind(1, static_cast<std::int64_t>(row.seq));
    if (const auto found = query_->step(); found && *found) {
      row.kind = query_->bytes(0);
      row.key = query_->bytes(1);
    }
    query_->reset();
  }

private:
  result<statement> query_;
};

/// Whether nothing can be read of the last rows before `seq`.
bool ends_unreadable(const std::vector<damaged_row>& rows, std::uint64_t seq) {
  return !rows.empty() && rows.back().kind.empty()
         && rows.back().last + 1 == seq;
}

void add(std::vector<damaged_row>& rows, damaged_row row) {
  if (row.kind.empty() && ends_unreadable(rows, row.seq))
    rows.back().last = row.last;
  else
    rows.push_back(std::move(row));
}

/// All from `seq` on, up to the last row that is told, are missing.
void end_at(std::vector<damaged_row>& rows, std::uint64_t seq,
            std::uint64_t claimed, const fs::path& file) {
  if (ends_unreadable(rows, seq))
    rows.back().last = std::max(rows.back().seq, claimed);
  else if (seq <= claimed)
    rows.push_back({seq, claimed, {}, {}, no_such_row(file, seq).message});
}

} // namespace

result<log_check> check_log(const fs::path& directory,
                            const event_log::visitor& visit) {
  const auto file = directory / "events.db";
  auto db = open_damaged(file);
  if (!db) return db.error();
  auto query = rows_by_number(*db);
  if (!query) return query.error();
  // More rows than are below one inner page of the table, which may be lost.
  constexpr std::uint64_t patience = 1 << 16;
  const auto extent = extent_of(*db, file);
  label_reader labels{*db};
  log_check out;
  out.acknowledged = extent.acknowledged;
  std::uint64_t seq = 1;
  for (std::uint64_t since = 0;
       seq <= extent.sure || (seq <= extent.maybe && since < patience); ++seq) {
    const auto row =
        read_numbered(*query, {file, seq, out.damaged.empty(), {}});
    if (row) {
      since = 0;
      ++out.intact;
      if (!visit) continue;
      if (auto ok = visit(*row); !ok) return ok.error();
    } else {
      ++since;
      damaged_row damaged{seq, seq, {}, {}, row.error().message};
      labels.read(damaged);
      add(out.damaged, std::move(damaged));
    }
  }
  end_at(out.damaged, seq, extent.claimed, file);
  return out;
}

} // namespace brewery

#include "store/log_salvage.hpp"

#include "base/file.hpp"
#include "store/ack_file.hpp"
#include "store/event_schema.hpp"
#include "store/log_exchange.hpp"
#include "store/row_reading.hpp"

#include <algorithm>

namespace brewery {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t rows_per_commit = 256;

result<database> open_damaged(const fs::path& file) {
  if (auto ok = check_not_exchanged(file.parent_path()); !ok) return ok.error();
  std::error_code ignored;
  if (!fs::exists(file, ignored))
    return error{ec::not_found, file.string() + " does not exist"};
  auto db = database::open(file, database::mode::read_only, {});
  if (!db) return db.error();
  if (auto known = check_log_file(*db, file); !known) return known.error();
  return db;
}

/// Counts rows that were acknowledged and are gone.
std::uint64_t last_row(database& db, const fs::path& directory) {
  std::uint64_t out = 0;
  if (const auto acknowledged = ack_file::read(directory)) out = *acknowledged;
  if (const auto last = db.integer("SELECT coalesce(max(seq), 0) FROM events"))
    out = std::max(out, static_cast<std::uint64_t>(*last));
  return out;
}

/// Kind and key, which can often be read where the row is damaged.
damaged_row label_of(database& db, std::uint64_t seq) {
  damaged_row out{seq, {}, {}, {}};
  auto query = db.prepare("SELECT kind, key FROM events WHERE seq = ?1");
  if (!query) return out;
  query->bind(1, static_cast<std::int64_t>(seq));
  const auto found = query->step();
  if (!found || !*found) return out;
  out.kind = query->bytes(0);
  out.key = query->bytes(1);
  return out;
}

/// Into an empty directory.
result<void> copy_rows(const fs::path& directory, const fs::path& fresh,
                       const std::function<bool(const event_row&)>& keep,
                       const std::string& vfs) {
  auto log = event_log::create(fresh, vfs);
  if (!log) return log.error();
  std::vector<event_row> batch;
  const auto flush = [&]() -> result<void> {
    auto ok = (*log)->append(batch);
    batch.clear();
    return ok;
  };
  const auto read =
      check_log(directory, [&](const event_row& row) -> result<void> {
        if (!keep(row)) return {};
        batch.push_back(row);
        return batch.size() < rows_per_commit ? result<void>{} : flush();
      });
  if (!read) return read.error();
  if (auto ok = flush(); !ok) return ok;
  // Only events.db is moved. On a disk that is nearly full the rows fit into
  // the write-ahead file, and then not into events.db as well.
  return (*log)->settle();
}

result<void> write_fresh(const fs::path& directory,
                         const std::function<bool(const event_row&)>& keep,
                         const std::string& vfs) {
  const auto fresh = salvaged_log_in(directory);
  std::error_code ignored;
  fs::remove_all(fresh, ignored); // of a try that was interrupted
  if (auto ok = make_directories(fresh); !ok) return ok;
  auto done = copy_rows(directory, fresh, keep, vfs);
  if (!done) fs::remove_all(fresh, ignored);
  return done;
}

/// An older version may have begun the exchange before all was in events.db.
result<void> settle_fresh(const fs::path& directory, const std::string& vfs) {
  const auto log = event_log::open(salvaged_log_in(directory), vfs);
  if (!log) return log.error();
  return (*log)->settle();
}

} // namespace

result<log_check> check_log(const fs::path& directory,
                            const event_log::visitor& visit) {
  const auto file = directory / "events.db";
  auto db = open_damaged(file);
  if (!db) return db.error();
  auto query = rows_by_number(*db);
  if (!query) return query.error();
  const auto last = last_row(*db, directory);
  log_check out;
  for (std::uint64_t seq = 1; seq <= last; ++seq) {
    const auto row = read_numbered(*query, seq, file);
    if (!row) {
      out.damaged.push_back(label_of(*db, seq));
      out.damaged.back().what = row.error().message;
      continue;
    }
    ++out.intact;
    if (!visit) continue;
    if (auto ok = visit(*row); !ok) return ok.error();
  }
  return out;
}

result<fs::path> salvage_log(const fs::path& directory,
                             const std::function<bool(const event_row&)>& keep,
                             const salvage_faults& faults) {
  const auto lock = directory_lock::take(directory);
  if (!lock) return lock.error();
  auto ready = is_half_exchanged(directory)
                   ? settle_fresh(directory, faults.vfs)
                   : write_fresh(directory, keep, faults.vfs);
  if (!ready) return ready.error();
  return exchange_logs(directory, faults.before_move);
}

} // namespace brewery

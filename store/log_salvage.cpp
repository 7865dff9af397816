#include "store/log_salvage.hpp"

#include "base/file.hpp"
#include "store/log_exchange.hpp"

namespace brewery {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t rows_per_commit = 256;

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

result<fs::path> salvage_log(const fs::path& directory,
                             const std::function<bool(const event_row&)>& keep,
                             const salvage_hooks& hooks) {
  const auto lock = directory_lock::take(directory);
  if (!lock) return lock.error();
  auto ready = is_half_exchanged(directory)
                   ? settle_fresh(directory, hooks.vfs)
                   : write_fresh(directory, keep, hooks.vfs);
  if (!ready) return ready.error();
  return exchange_logs(directory, hooks.before_move);
}

} // namespace brewery

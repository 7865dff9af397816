#pragma once
/// The event log of one run: `events.db` in the run directory, an append-only
/// SQLite table. It is the truth of the run: every other file can be rebuilt
/// from it. There is one writer (the directory's lock) and any number of
/// concurrent readers. The journal actor owns the writer.
///
/// Guarantees:
///   - `append` returned success: the batch is on disk and will be read back,
///     whatever happens to the process or the power (WAL, synchronous=FULL).
///   - `append` failed: no row of the batch is stored; the caller may retry.
///   - A crash during `append`: all of the batch is stored or none. So a replay
///     must accept a batch that was never acknowledged.
///   - Rows never change or disappear unnoticed. Each row has a CRC-32, numbers
///     have no gaps, triggers refuse UPDATE and DELETE, and `events.ack` stores
///     a lower bound of the acknowledged rows, which reveals a lost or damaged
///     write-ahead file.
///
/// Errors: ec::in_use (another writer, named), already_exists, not_found,
/// disk_full, corrupt (names file and row), version_mismatch (a newer Brewery
/// wrote the file), io. A log object belongs to one thread.

#include "base/result.hpp"
#include "messages/wire/codec.hpp"
#include "store/directory_lock.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace brewery {

/// One event. `payload` is wire::encode() of the struct that `kind` names.
/// `key` says what the event is about, for readers, e.g. a job id.
struct event_row {
  std::uint64_t seq = 0; ///< from 1, without gaps; set by `append`
  std::string kind;
  std::string key;
  std::string payload;
  /// For `append`: `payload` is compressed already (base/compression.hpp). Rows
  /// that are read never are.
  bool compressed = false;
  bool operator==(const event_row&) const = default;
};

/// Makes the row of a message.
template <described T>
event_row event_of(const T& message, std::string key) {
  return {0, T::type_name, std::move(key), wire::encode(message), false};
}

class event_log {
public:
  using visitor = std::function<result<void>(const event_row&)>;

  /// Creates an empty log in an existing directory. `vfs` lets tests put a
  /// failing file layer below SQLite.
  static result<std::unique_ptr<event_log>>
  create(const std::filesystem::path& directory, const std::string& vfs = {});
  /// For who has the directory's lock already.
  static result<std::unique_ptr<event_log>>
  create(const std::filesystem::path& directory, directory_lock lock,
         const std::string& vfs = {});

  /// Opens a log for appending and takes the directory's lock.
  static result<std::unique_ptr<event_log>>
  open(const std::filesystem::path& directory, const std::string& vfs = {});

  /// Opens a log for reading; a writer may be active.
  static result<std::unique_ptr<event_log>>
  open_for_reading(const std::filesystem::path& directory,
                   const std::string& vfs = {});

  ~event_log();
  event_log(const event_log&) = delete;
  event_log& operator=(const event_log&) = delete;

  /// Appends the batch in one transaction. Success means that it is durable.
  /// Ignores the `seq` members of the batch.
  result<void> append(const std::vector<event_row>& batch);

  /// Whether what a writer writes beside the log is beside the log. From any
  /// thread.
  [[nodiscard]] result<void> in_place() const;

  /// Moves all rows from the write-ahead file into events.db, which is then
  /// whole without it. Closing the log does so too, but reports no failure.
  result<void> settle();

  /// Visits every row in order and stops at the first error of the visitor.
  /// Checks what it reads: after visiting the rows before a damaged one, it
  /// returns ec::corrupt. The visitor must not append. Events of kind `packed`
  /// have no payload (see `read`).
  result<void> for_each(const visitor& visit,
                        std::string_view packed = {}) const;

  /// Reads one event by its number. Error ec::not_found: no such event.
  result<event_row> read(std::uint64_t seq) const;

  /// The number of the last row; 0 without rows.
  [[nodiscard]] std::uint64_t last_seq() const;

private:
  struct state;
  static result<std::unique_ptr<event_log>>
  open_locked(directory_lock lock, const std::filesystem::path& directory,
              const std::string& vfs);
  explicit event_log(std::unique_ptr<state> opened);
  std::unique_ptr<state> state_;
};

} // namespace brewery

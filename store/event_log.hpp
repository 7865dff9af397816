#pragma once
/// The event log of one run: `events.db` in the run directory, an append-only
/// SQLite table. The log is the truth; every other file can be made again from
/// it. One writer at a time (the directory's lock), any number of readers
/// beside it.
///
/// Promises: `append` returned success: the batch is on disk and will be read
/// back, whatever happens to the process or the power (WAL, synchronous=FULL).
/// It failed: none of the batch is there, and it may be tried again. A crash in
/// between: all of the batch or nothing, so replay must tolerate a batch that
/// was never acknowledged. Rows are never changed or dropped silently: each has
/// a CRC-32, numbers are without gaps, triggers refuse UPDATE and DELETE, and
/// `events.ack` keeps a lower bound of what was acknowledged, so that a lost or
/// damaged write-ahead file is noticed.
///
/// Errors: ec::in_use (another writer, named), already_exists, not_found,
/// disk_full, corrupt (file and row named), version_mismatch (a newer Brewery
/// wrote it), io. A log object belongs to one thread.

#include "base/result.hpp"
#include "messages/wire/codec.hpp"
#include "store/directory_lock.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace brewery {

/// One event: `payload` is wire::encode() of the struct named by `kind`; `key`
/// is what it is about, for people, e.g. a job id.
struct event_row {
  std::uint64_t seq = 0; ///< from 1, without gaps; assigned by append
  std::string kind;
  std::string key;
  std::string payload;
  bool operator==(const event_row&) const = default;
};

/// The row of a message.
template <described T>
event_row event_of(const T& message, std::string key) {
  return {0, T::type_name, std::move(key), wire::encode(message)};
}

class event_log {
public:
  using visitor = std::function<result<void>(const event_row&)>;

  /// A new, empty log in an existing directory. `vfs` is the seam where tests
  /// put a failing file layer below SQLite.
  static result<std::unique_ptr<event_log>>
  create(const std::filesystem::path& directory, const std::string& vfs = {});

  /// For appending; takes the directory's lock.
  static result<std::unique_ptr<event_log>>
  open(const std::filesystem::path& directory, const std::string& vfs = {});

  /// For reading only, while a writer may be at work.
  static result<std::unique_ptr<event_log>>
  open_for_reading(const std::filesystem::path& directory,
                   const std::string& vfs = {});

  ~event_log();
  event_log(const event_log&) = delete;
  event_log& operator=(const event_log&) = delete;

  /// The whole batch in one transaction, durable when it returns success; seq
  /// members of the batch are ignored.
  result<void> append(const std::vector<event_row>& batch);

  /// Every row in order; stops at the first error of the visitor. Checks what
  /// it reads: damage is ec::corrupt after the rows before it were visited.
  /// Do not append from within.
  /// Events of kind `packed` come without their payload (see `read`).
  result<void> for_each(const visitor& visit,
                        std::string_view packed = {}) const;

  /// One event, by its number; ec::not_found when there is none.
  result<event_row> read(std::uint64_t seq) const;

  /// Of the last row, 0 when there is none.
  [[nodiscard]] std::uint64_t last_seq() const;

private:
  struct state;
  explicit event_log(std::unique_ptr<state> opened);
  std::unique_ptr<state> state_;
};

} // namespace brewery

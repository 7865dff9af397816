#pragma once
/// Which rows of a log hold: a retry takes back a result and what was decided
/// since, and an extension takes back the final evaluation, as in
/// cluster/ledger/memo_loader. For readers that are extended as a log grows:
/// it keeps some 30 bytes a result, and no payload. Belongs to one reader.

#include "messages/flat_map.hpp"
#include "store/event_log.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

class log_history {
public:
  /// The kind of rows whose payload it does not look at.
  static constexpr std::string_view results = "job_result";

  /// Takes the next row. True: rows before it do not hold any more.
  bool take(const event_row& row);

  /// Whether a row that was taken holds.
  [[nodiscard]] bool holds(const event_row& row) const;

  [[nodiscard]] std::uint64_t seen() const { return seen_; }

  /// Whether the log is the one whose rows were taken: a copy of another may
  /// have been put in its place.
  [[nodiscard]] bool is_of(const event_log& log) const;

private:
  /// Decisions between two events, which a retry took back.
  struct gap {
    std::uint64_t after, until;
  };

  bool take_back(flat_map<std::uint64_t>& done, const event_row& row);

  std::uint64_t seen_ = 0;
  std::uint64_t last_result_ = 0; ///< its event; 0: none was taken
  std::string last_job_;
  flat_map<std::uint64_t> results_, verdicts_; ///< events, by job; 0: retried
  std::vector<gap> gaps_;                      ///< in order, apart
  std::uint64_t began_ = 0; ///< the last record of the run's beginning
};

/// Reads what the log got since, and all of it anew if something that was read
/// does not hold any more. `add(row)` gets each row that holds, `clear()` comes
/// before all of them are given again, and `see(row)` gets every row, also
/// those that do not hold, without the payloads of results. Rows of kind
/// `packed` have no payload where many are read at once. Error: as of the log
/// or of `add`; the rows before it are there, and it is tried again next time.
template <class Clear, class Add, class See>
result<void> read_standing(log_history& history, const event_log& log,
                           Clear clear, Add add, See see,
                           std::string_view packed = {}) {
  if (!history.is_of(log)) history = {};
  bool anew = history.seen() == 0;
  for (const auto last = log.last_seq(); !anew && history.seen() < last;) {
    const auto row = log.read(history.seen() + 1);
    if (!row) return row.error();
    if (auto ok = add(*row); !ok) return ok;
    see(*row);
    anew = history.take(*row);
  }
  if (!anew) return {};
  history = {};
  clear();
  log_history whole;
  const auto taken = log.for_each(
      [&](const event_row& row) -> result<void> {
        whole.take(row);
        see(row);
        return {};
      },
      log_history::results);
  const auto added = log.for_each(
      [&](const event_row& row) -> result<void> {
        if (row.seq > whole.seen()) return {}; // it came meanwhile
        if (whole.holds(row))
          if (auto ok = add(row); !ok) return ok;
        history.take(row);
        return {};
      },
      packed);
  return added ? taken : added;
}

} // namespace brewery

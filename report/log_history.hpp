#pragma once
/// Which rows of a log hold: a retry takes back a result and what was decided
/// since, and an extension takes back the final evaluation, as in
/// cluster/ledger/memo_loader. For readers that are extended as a log grows:
/// it keeps some 30 bytes a result, and no payload. Belongs to one reader.

#include "messages/flat_map.hpp"
#include "store/event_log.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace brewery {

class log_history {
public:
  /// Takes the next row. True: rows before it do not hold any more.
  bool take(const event_row& row);

  /// Whether a row that was taken holds.
  [[nodiscard]] bool holds(const event_row& row) const;

  [[nodiscard]] std::uint64_t seen() const { return seen_; }

  /// Whether the log is the one whose rows were taken: a copy of another may
  /// have been put in its place.
  [[nodiscard]] bool is_of(const event_log& log) const;

  /// A damaged row stays what it is: rows before it need not be read again to
  /// find it.
  std::optional<error> damage;

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
/// before all of them are given again. Error: as of the log or of `add`; what
/// was added is no whole then. Rows of kind `packed` have no payload where many
/// are read at once.
template <class Clear, class Add>
result<void> read_standing(log_history& history, const event_log& log,
                           Clear clear, Add add, std::string_view packed = {}) {
  if (!history.is_of(log)) {
    history = {};
    clear();
  }
  if (history.damage) return *history.damage;
  bool anew = false;
  const auto first = [&](const event_row& row) -> result<void> {
    anew = history.take(row) || anew;
    return anew ? result<void>{} : add(row);
  };
  result<void> ok;
  if (history.seen() == 0) {
    ok = log.for_each(first, packed);
  } else {
    for (const auto last = log.last_seq(); ok && history.seen() < last;) {
      const auto row = log.read(history.seen() + 1);
      ok = row ? first(*row) : result<void>{row.error()};
    }
  }
  if (ok && anew) {
    clear();
    ok = log.for_each(
        [&](const event_row& row) -> result<void> {
          if (row.seq > history.seen() || !history.holds(row)) return {};
          return add(row);
        },
        packed);
  }
  if (!ok && ok.error().code == ec::corrupt) {
    history.damage = ok.error();
  } else if (!ok) {
    history = {};
    clear();
  }
  return ok;
}

} // namespace brewery

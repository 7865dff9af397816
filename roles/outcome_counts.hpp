#pragma once
/// How often rollouts that ended with a status line met a check, under a
/// setting. Each setting is counted in one pass when it is first asked for.
/// Refers to the evidence it was made from; owned by one induction.

#include "roles/evidence.hpp"

#include <map>
#include <unordered_map>

namespace brewery {

/// A condition beside the line itself: nothing, a clause of the instruction, or
/// another line of the same look.
struct setting {
  enum class kind { any, clause, line } what = kind::any;
  line_number number = 0;
};

struct tally {
  std::uint32_t met = 0, unmet = 0; ///< rollouts in the setting
  std::uint32_t met_line = 0,
                unmet_line = 0; ///< of these, ending with the line
};

/// Rollouts that ended with a line, by whether a call without visible effect
/// was made and whether the whole task was met.
struct need_tally {
  std::uint32_t met_with = 0, met_without = 0;
  std::uint32_t unmet_with = 0, unmet_without = 0;
};

class outcome_counts {
public:
  explicit outcome_counts(const look_evidence& look);

  [[nodiscard]] tally of(std::string_view check, const setting& where,
                         line_number line) const;

  [[nodiscard]] need_tally need_of(line_number line, line_number call) const;

private:
  struct pair_count {
    std::uint32_t met = 0, unmet = 0;
    void add(const outcome_row& row) { (row.met ? met : unmet) += row.count; }
  };
  struct group {
    pair_count all;
    std::unordered_map<line_number, pair_count> by_line;
  };
  using group_key = std::pair<setting::kind, line_number>;

  static bool matches(const setting& where, const outcome_row& row);
  static std::uint64_t pair_key(line_number line, line_number call) {
    return (std::uint64_t{line} << 32U) | call;
  }

  std::map<std::string_view, std::vector<const outcome_row*>> by_check_;
  mutable std::map<std::string_view, std::map<group_key, group>> groups_;
  std::unordered_map<std::uint64_t, pair_count> with_call_;
};

} // namespace brewery

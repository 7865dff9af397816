#pragma once
/// How many rollouts of a run were reused, and what checks of that found.

#include "base/result.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

struct reuse_counts {
  bool is_on = false;          ///< economy.reuse is not "off"
  std::uint64_t reused = 0;    ///< rollouts that were not played
  std::uint64_t elsewhere = 0; ///< of these, played in other runs
  std::uint64_t checked = 0;   ///< played though known, and compared
  std::uint64_t wrong = 0;     ///< of these, with another outcome
  std::string first_wrong;     ///< how it differs, one line

  void add_check(const std::string& differs);
  /// `rollout_result::reused_from`; empty: nothing was reused.
  void add_reused(const std::string& reused_from);
};

/// "4,120 of 9,800 rollouts (42.0 %) were not played: an earlier one had read
/// the same (310 of them in other runs); 206 played all the same, of which none
/// differs". Of a run that reuses and found nothing to reuse it says so; else
/// empty if nothing was reused or checked.
std::string reuse_text(const reuse_counts& counts, std::uint64_t rollouts);

/// Every check on record: how the rollouts differ, or nothing.
std::vector<std::string>
reuse_checks_in(const std::map<std::string, std::string>& decisions);

class event_log;
struct memo_content;

/// As a log has it. Decodes every result.
result<reuse_counts> reuse_in(const event_log& log, const memo_content& known);

} // namespace brewery

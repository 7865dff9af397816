#pragma once
/// What the model calls of a run came to, by role and model: summed from its
/// recording, so it is the same before and after a resume. Pure.

#include "llm/accounts/price.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <unordered_set>
#include <utility>

namespace brewery {

struct spend_line {
  std::uint64_t calls = 0; ///< answered, also with a refusal
  token_usage usage;       ///< of these, as the servers counted
  picodollars cost = 0;    ///< of these
  /// Of these, calls whose server counts no tokens.
  std::uint64_t uncounted = 0;
  std::uint64_t uncounted_tokens = 0; ///< reserved for them: at most
  std::uint64_t cut = 0; ///< of these, replies that ended at their limit
  std::uint64_t duration_ms = 0; ///< with turns and pauses
  std::uint64_t asked_ms = 0;    ///< in attempts
  std::uint64_t untimed = 0; ///< calls whose time in attempts is not recorded
  std::uint64_t lost = 0;    ///< failed attempts that may be charged
  std::uint64_t lost_tokens = 0;
  picodollars lost_cost = 0; ///< at most

  /// As budgets count them: with what was lost or not counted.
  [[nodiscard]] std::uint64_t tokens_at_most() const;
  [[nodiscard]] picodollars cost_at_most() const;

  spend_line& operator+=(const spend_line& other);
};

struct model_spend {
  /// By role and model. A record of an older release names no model.
  std::map<std::pair<std::string, std::string>, spend_line> lines;
  /// Hashes of the jobs in which an agent or a user asked a model: attempts
  /// that this run paid for.
  std::unordered_set<std::uint64_t> attempts;

  void add(const model_record& record);
  [[nodiscard]] spend_line total() const;
};

/// With what was lost, as budgets count it.
double cost_usd_of(const model_spend& spend);

/// A table of at most 80 columns and remarks below it; empty if no model was
/// asked.
std::string spend_text(const model_spend& spend);

nlohmann::ordered_json spend_json(const model_spend& spend);

} // namespace brewery

#pragma once
/// One attempt of a run, found in its log, with the titles of what it read.

#include "report/arm_rollouts.hpp"

#include <map>

namespace brewery {

struct rollout_request {
  std::filesystem::path run;
  /// A task id, or the first characters of a rollout's id as
  /// `kb show --provenance` names it.
  std::string what;
  std::uint32_t trial = 0;
  std::string arm; ///< empty: the published knowledge base
};

struct found_rollout {
  rollout_result rollout; ///< its trial is that of the arm, if it is of one
  std::string arm;        ///< of the final evaluation; empty: of the search
  std::map<doc_hash, std::string> titles; ///< of documents that are known
};

/// Attempts at test tasks are those of an arm. Of another task it is the last
/// attempt of the search with this trial. Errors name what the log has instead.
result<found_rollout> find_rollout(const rollout_request& wanted);

} // namespace brewery

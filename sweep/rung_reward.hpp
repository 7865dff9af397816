#pragma once
/// What a run of a sweep had come to at a barrier, from its log.

#include "base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace brewery {

/// Of a run that has got to a barrier.
struct rung_figures {
  /// Mean reward, over the concepts, of the best documents that the strategy
  /// had gathered; of eval tasks alone. Empty: none has a graded attempt.
  std::optional<double> reward;
};

/// Why a run that got there cannot be ranked, if it has no reward.
std::string no_score_at(std::uint32_t iteration);

/// Error ec::not_found: it has not got there; those of a log that cannot be
/// read.
result<rung_figures> reward_at(const std::filesystem::path& run,
                               const std::string& strategy,
                               std::uint32_t iteration);

} // namespace brewery

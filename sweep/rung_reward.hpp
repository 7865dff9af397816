#pragma once
/// What a run of a sweep had come to at a barrier, from its log.

#include "base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace brewery {

/// Mean reward, over the concepts, of the best documents that a strategy had
/// gathered with this iteration; of eval tasks alone. Error ec::not_found: it
/// has not got there; those of a log that cannot be read.
result<double> reward_at(const std::filesystem::path& run,
                         const std::string& strategy, std::uint32_t iteration);

} // namespace brewery

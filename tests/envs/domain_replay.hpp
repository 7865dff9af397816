#pragma once
/// Replays the reference's recorded answers on a native domain, by its port
/// alone: whatever implements `domain` can be held against its vectors.

#include "envs/tau2/domain.hpp"

#include <filesystem>
#include <memory>

namespace brewery::test {

struct replay_tally {
  std::size_t records = 0, steps = 0, hashes = 0, rewards = 0;
};

/// All vectors of the domain of this name below `data`, the tau2-bench folder:
/// each call's result or failure and both hashes after it, gold states, and
/// what the graders say of every variant. Checks as it goes, prints what it
/// compared. `load` reads the domain's folder.
replay_tally replay_domain(const std::filesystem::path& data,
                           const std::string& name,
                           result<std::shared_ptr<const tau2::domain>> (*load)(
                               const std::filesystem::path& folder));

} // namespace brewery::test

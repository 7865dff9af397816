#pragma once
/// Plays one run of a sweep, in its folder, on what the runs share: the
/// runtime, the jobs of others, the models' servers. Any number of threads.

#include "run/run_lifecycle.hpp"
#include "run/setup/model_service.hpp"
#include "sweep/run_table.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace brewery {

class run_player {
public:
  /// All must outlive the player.
  run_player(cluster_runtime& on, job_share_actor share, run_table& table,
             std::filesystem::path sweep)
      : on_(on), share_(std::move(share)), table_(table),
        sweep_(std::move(sweep)) {}

  /// To its end, or as far as it is played before it is stopped. What is
  /// finished is only read. `hold_after`: as in run_inputs.
  result<run_summary> play(const std::string& run, const config& options,
                           std::optional<std::uint32_t> hold_after);

private:
  result<run_models> models_for(const config& options,
                                const std::filesystem::path& run);

  cluster_runtime& on_;
  const job_share_actor share_;
  run_table& table_;
  const std::filesystem::path sweep_;
  std::mutex mutex_;
  /// By catalog; guarded by mutex_.
  std::map<std::filesystem::path, std::shared_ptr<model_service>> services_;
};

} // namespace brewery

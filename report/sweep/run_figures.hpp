#pragma once
/// What one run of a sweep came to, read from its directory, even while
/// somebody writes there.

#include "config/config.hpp"
#include "report/compare/measured_run.hpp"
#include "report/sweep/job_spend.hpp"
#include "report/sweep/sweep_figures.hpp"

#include <chrono>
#include <filesystem>
#include <optional>

namespace brewery {

struct figured_run {
  seed_figures shown;
  /// Of its evaluation, as far as it is there.
  std::optional<measured_run> scored, without;
  config options; ///< its configuration
  /// Null if it asks no models.
  std::shared_ptr<const job_spend> spend;
};

/// Errors: those of a log that cannot be read, with the run's name.
result<figured_run> figures_of_run(const std::filesystem::path& run,
                                   std::chrono::system_clock::time_point now);

} // namespace brewery

#pragma once
/// Exports a run's final evaluation from its log, in the results format of
/// tau2-bench.

#include "base/result.hpp"

#include <filesystem>
#include <string>

namespace brewery {

struct tau2_export {
  std::string text; ///< the results file, JSON
  std::string arm;  ///< the exported arm
  std::size_t rollouts = 0;
  std::size_t missing = 0; ///< planned, but not in the log
};

/// `arm` is a name in the report; empty: the published arm (`find_arm`).
/// Errors: the run is not of tau2-bench, there is no evaluation yet, or no such
/// arm; the message then lists the arms.
result<tau2_export> export_tau2(const std::filesystem::path& run,
                                const std::string& arm);

} // namespace brewery

#pragma once
/// A run's final evaluation in tau2-bench's results format, from its log.

#include "base/result.hpp"

#include <filesystem>
#include <string>

namespace brewery {

struct tau2_export {
  std::string text; ///< of the results file, JSON
  std::string arm;  ///< that was exported
  std::size_t rollouts = 0;
  std::size_t missing = 0; ///< planned, but not in the log
};

/// `arm`: as the report names it; empty: the last of the evaluation. Errors:
/// not a run of tau2-bench, no evaluation yet, or no such arm (with those
/// there are).
result<tau2_export> export_tau2(const std::filesystem::path& run,
                                const std::string& arm);

} // namespace brewery

#pragma once
/// Runs a program to its end: gives it its input, collects its output, and
/// kills it at a deadline. For programs that answer once; services stay
/// (process/service_process.hpp). Thread-safe.

#include "process/child_process.hpp"

#include <cstddef>

namespace brewery::child {

struct run_bounds {
  std::chrono::milliseconds deadline{60'000};
  std::size_t output_bytes_most = std::size_t{1} << 20; ///< each stream
};

struct program_run {
  std::string output;
  std::string errors;
  /// "it ended with exit status 0"; empty: killed at the deadline, or because
  /// its output was too long.
  std::string ending;

  [[nodiscard]] bool succeeded() const {
    return ending == "it ended with exit status 0";
  }
};

/// Errors as child_process::start; how the program ends is no error.
result<program_run> run_program(const child_command& command,
                                const std::string& input,
                                const run_bounds& bounds);

} // namespace brewery::child

#pragma once
/// The three ports of ports.hpp, on services in child processes. Each starts at
/// its first request, so a process that only grades starts no kernel host.

#include "envs/spreadsheet/ports.hpp"
#include "process/error_lines.hpp"

#include <memory>
#include <optional>

namespace brewery::spreadsheet {

struct service_settings {
  std::string python = "/usr/bin/python3"; ///< Debian's, which has the packages
  std::string grader_python;               ///< empty: the same
  std::string isolation = "auto";          ///< or a rung's name
  /// Run the agent's code, and open its workbooks, even without isolation.
  bool unsafe_exec = false;
  std::uint32_t kernel_memory_mb = 2048; ///< of one kernel
  std::chrono::milliseconds start_timeout{30'000};
  std::chrono::milliseconds recalculation_timeout{30'000};
  std::chrono::milliseconds grade_timeout{120'000};
  std::filesystem::path directory; ///< empty: below the system's temporary one
  child::log_sink log;             ///< receives their standard error
};

struct service_set {
  std::shared_ptr<void> keeper; ///< owns their files; destroyed last
  std::shared_ptr<kernel_port> kernels;
  std::shared_ptr<recalculation_port> recalculation;
  std::shared_ptr<grader_port> grader;
  /// For copies of workbooks. No code of an agent runs here.
  std::filesystem::path scratch;
};

/// Writes the modules into a private directory. Starts no service.
result<service_set> make_services(const service_settings& settings);

} // namespace brewery::spreadsheet

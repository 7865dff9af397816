#pragma once
/// `[memory_port]`: a memory in a child process, for the arm memory-port. Plain
/// values; config/schema_learners.cpp describes and bounds each field.

#include <cstdint>
#include <string>
#include <vector>

namespace brewery {

struct memory_port_options {
  /// Program and arguments. A single text with spaces is split as in a shell.
  std::vector<std::string> command{};
  std::string package{};               ///< name and version, as it says them
  std::vector<std::string> pass_env{}; ///< variables passed to the child
  std::uint32_t hits = 10;             ///< asked for of a task
  std::uint32_t start_timeout_ms = 60'000;
  std::uint32_t ingest_timeout_ms = 600'000; ///< of one request
  std::uint32_t search_timeout_ms = 60'000;

  bool operator==(const memory_port_options&) const = default;
};

} // namespace brewery

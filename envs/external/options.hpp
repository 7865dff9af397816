#pragma once
/// `[environment.external]` and `[environment.tau2_official]`: the options of
/// benchmarks in child processes. Plain values; config/schema_environment.cpp
/// describes and bounds each field.

#include <cstdint>
#include <string>
#include <vector>

namespace brewery {

/// The options that all such benchmarks have.
struct child_settings {
  std::vector<std::string> pass_env{};     ///< variables passed to the child
  std::uint32_t start_timeout_ms = 30'000; ///< for the start and `hello`
  std::uint32_t step_timeout_ms = 60'000;  ///< for reset, step, close
  std::uint32_t grade_timeout_ms = 120'000;

  bool operator==(const child_settings&) const = default;
};

struct external_settings {
  /// Program and arguments. A single text with spaces is split as in a shell.
  std::vector<std::string> command{};
  child_settings child{};

  /// Takes the options that the machine decides on which rollouts run.
  void take_machine(const external_settings& here) {
    child.start_timeout_ms = here.child.start_timeout_ms;
  }
  bool operator==(const external_settings&) const = default;
};

/// tau2-bench's own Python package.
struct tau2_official_settings {
  std::string domain = "telecom";
  std::string python = "python3"; ///< the interpreter with the package
  std::string user_model{};       ///< for its simulated user; empty: solo
  child_settings child{};

  /// Takes the options that the machine decides on which rollouts run.
  void take_machine(const tau2_official_settings& here) {
    python = here.python;
    child.start_timeout_ms = here.child.start_timeout_ms;
  }
  bool operator==(const tau2_official_settings&) const = default;
};

} // namespace brewery

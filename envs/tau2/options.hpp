#pragma once
/// `[environment.tau2]`: the options of a tau2-bench domain that runs in this
/// process. Plain values; config/schema_environment.cpp describes and bounds
/// each field.

#include <cstdint>
#include <string>

namespace brewery {

struct tau2_settings {
  std::string mode = "auto";        ///< "solo", "user", "auto"
  std::uint32_t max_steps = 100;    ///< of a conversation
  std::uint32_t max_errors = 10;    ///< failed calls of both sides
  bool enforce_protocol = false;    ///< a message has words or calls, not both
  std::uint32_t talk_timeout_s = 0; ///< of a conversation; 0: none

  bool operator==(const tau2_settings&) const = default;
};

} // namespace brewery

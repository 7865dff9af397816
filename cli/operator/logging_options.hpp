#pragma once
/// The log of a process of a cluster: `--log-level` and `--log-format`.

#include "base/json.hpp"
#include "cli/commands.hpp"

#include <string>
#include <vector>

namespace brewery {

/// From the least severe to none.
inline const std::vector<std::string> log_levels{"trace", "debug", "info",
                                                 "warn",  "error", "off"};

struct logging_arguments {
  std::string level = "info";
  std::string format = "text";
};

void add_logging_options(CLI::App& command, logging_arguments& arguments);

/// `always`: members of every line in the format json.
void set_up_logging(const logging_arguments& arguments,
                    const json& always = json::object());

} // namespace brewery

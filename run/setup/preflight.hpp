#pragma once
/// Finds what `brewery run` would refuse, before anything is written: data and
/// splits, models and their keys, programs, prompts, rubrics and scripts.

#include "config/config.hpp"

#include <functional>
#include <string>
#include <vector>

namespace brewery {

struct preflight_request {
  /// Starts an external program and the memory of the memory port, asks each
  /// model once, and plays one train task. This may cost money.
  bool deep = false;
  /// Gets one line before each step that may take a while; may be empty.
  std::function<void(const std::string&)> on_step = {};
};

/// All problems that are found, each with what to do; empty: none. Without
/// `deep`, no program is started and no server is contacted, so the splits of
/// an external program are not checked.
std::vector<error> preflight(const config& options,
                             const preflight_request& request = {});

} // namespace brewery

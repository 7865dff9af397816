#pragma once
/// When a desktop is ready: its screen is a whole image that does not change
/// any more. The official runner waits 60 s instead, whatever happens.

#include "base/result.hpp"
#include "envs/osworld/guest/guest_address.hpp"

#include <chrono>
#include <functional>
#include <string>

namespace brewery::osworld {

/// Takes a screenshot: the bytes of a whole PNG.
using screen_probe = std::function<result<std::string>(const guest_address&)>;

struct ready_rules {
  std::chrono::milliseconds deadline{60'000}; ///< until the first screenshot
  /// The screen must be the same for this long.
  std::chrono::milliseconds still{100};
  /// A screen that never stands still is accepted after this: a clock, a
  /// cursor that blinks.
  std::chrono::milliseconds restless{5'000};
  /// Waits this long in addition, as the official runner does (60 s).
  std::chrono::milliseconds fixed{0};
  std::chrono::milliseconds pause{50}; ///< between failed screenshots
};

/// `gone` says why waiting is of no use; empty: it may work. Errors are
/// ec::environment.
result<void> await_ready(const guest_address& at, const screen_probe& probe,
                         const std::function<std::string()>& gone,
                         const ready_rules& rules);

} // namespace brewery::osworld

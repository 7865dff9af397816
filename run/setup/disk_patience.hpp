#pragma once
/// Waiting for space on a full disk, as a coordinator does.

#include "base/result.hpp"

#include <spdlog/spdlog.h>

#include <chrono>
#include <functional>
#include <thread>

namespace brewery {

/// Repeats `attempt` once a second while the disk is full, until `given_up`;
/// `any_io`: also while it fails otherwise, for want of descriptors say.
template <class Attempt>
auto with_space(const Attempt& attempt, const std::function<bool()>& given_up,
                bool any_io = false) {
  for (bool said = false;; said = true) {
    auto out = attempt();
    if (out) return out;
    const bool full = out.error().code == ec::disk_full;
    if (!(full || (any_io && out.error().code == ec::io)) || given_up())
      return out;
    if (!said)
      spdlog::warn("waiting for {}: {}", full ? "disk space" : "the disk",
                   out.error().message);
    std::this_thread::sleep_for(std::chrono::seconds{1});
  }
}

} // namespace brewery

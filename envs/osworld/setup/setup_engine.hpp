#pragma once
/// Runs the setup steps of a task on a desktop, and those before its grade
/// ("postconfig"). Owned by the environment of one rollout.

#include "envs/osworld/guest/guest_client.hpp"
#include "envs/osworld/setup/chromium_tabs.hpp"
#include "envs/osworld/setup/file_cache.hpp"
#include "envs/osworld/setup/placeholders.hpp"
#include "envs/osworld/tasks/task.hpp"

#include <functional>
#include <map>

namespace brewery::osworld {

/// Where steps act, and what they leave.
struct setup_scene {
  guest_client& guest;
  const file_cache& files;
  guest_facts facts;
  /// Output of commands by the name that a step gives it; the getter
  /// `cache_file` reads it.
  std::map<std::string, std::string>& saved;
  /// Waits; a test passes one that does not.
  std::function<void(std::chrono::milliseconds)> pause;
};

enum class setup_mode : std::uint8_t {
  /// Before the attempt: every failure is an error.
  strict,
  /// Before the grade: what fails may be the agent's doing (it closed a
  /// window), so the next step follows. Only a broken desktop is an error.
  lenient,
};

/// What failed, by step; empty unless lenient.
using setup_notes = std::vector<std::string>;

/// Error ec::environment names the step and what failed. Error
/// ec::invalid_argument: a step's parameters make no sense.
result<setup_notes> run_setup(const std::vector<setup_step>& steps,
                              const setup_scene& scene, setup_mode mode);

} // namespace brewery::osworld

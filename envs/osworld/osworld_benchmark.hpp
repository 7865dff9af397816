#pragma once
/// OSWorld behind the environment port. docs/osworld.md describes rollouts and
/// scores.

#include "envs/osworld/options.hpp"
#include "envs/osworld/osworld_environment.hpp"
#include "envs/osworld/tasks/task_set.hpp"

namespace brewery::osworld {

inline constexpr std::string_view benchmark_name = "osworld";

/// Loads the tasks and says where desktops come from; the first rollout
/// starts them. Errors name the file, field or option.
result<std::shared_ptr<const benchmark>>
load_osworld(const std::filesystem::path& data,
             const osworld_settings& settings);

/// The same on a pool that the caller made.
result<std::shared_ptr<const benchmark>>
load_osworld_on(task_set tasks, std::shared_ptr<const play_rules> rules,
                const std::string& version);

/// The files that tasks need, as the options say where they are kept.
file_cache_options file_options(const std::filesystem::path& data,
                                const osworld_settings& settings);

/// Screenshots for a pool's readiness, by a client of its own.
screen_probe probe_screen();

} // namespace brewery::osworld

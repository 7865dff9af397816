#pragma once
/// The options of desktops: which provider, how many, and what each provider
/// needs. Read by the configuration, used by `make_desktops`.

#include "base/secret.hpp"
#include "envs/osworld/desktops/desktop_pool.hpp"

#include <filesystem>

namespace brewery::osworld {

struct local_options {
  std::uint32_t width_px = 1920, height_px = 1080;
  /// The most that a desktop may keep in memory in each of its directories
  /// (home, /tmp, /dev/shm).
  std::uint64_t directory_bytes = std::uint64_t{1} << 30;
  std::chrono::milliseconds start_timeout{30'000};
};

struct docker_options {
  std::filesystem::path socket = "/var/run/docker.sock";
  std::string image = "happysixd/osworld-docker";
  std::filesystem::path disk; ///< the official Ubuntu.qcow2; read-only
  std::string disk_size = "32G", memory = "4G";
  std::uint32_t cores = 4;
  std::chrono::milliseconds call_timeout{60'000};
};

/// A machine that somebody else runs, and how it is reset.
struct static_desktop {
  guest_address address;
  /// A program with arguments that puts it back into its initial state.
  std::vector<std::string> reset;
};

struct static_options {
  std::vector<static_desktop> desktops;
  std::chrono::milliseconds reset_timeout{600'000};
};

struct desktop_options {
  std::string provider = "local"; ///< local, docker or static
  pool_options pool;
  local_options local;
  docker_options docker;
  static_options fixed;
};

/// Error ec::invalid_config: the provider cannot work with these options.
result<std::unique_ptr<desktop_provider>>
make_provider(const desktop_options& options);

/// The same, in a pool.
result<std::shared_ptr<desktop_pool>>
make_desktops(const desktop_options& options, screen_probe probe);

} // namespace brewery::osworld

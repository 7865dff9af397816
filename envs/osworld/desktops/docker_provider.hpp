#pragma once
/// Desktops in the official container: a virtual machine in QEMU, from the
/// official disk image, which stays read-only. A reset is a new container, as
/// the official runner does. Containers carry a label with the process that
/// made them; those of processes that have ended are removed at the start.

#include "envs/osworld/desktops/options.hpp"

namespace brewery::osworld {

/// Error ec::invalid_config: no disk. ec::exhausted: no daemon.
result<std::unique_ptr<desktop_provider>>
make_docker_provider(const docker_options& options);

} // namespace brewery::osworld

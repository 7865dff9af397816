#pragma once
/// Desktops on this machine: X, a window manager, D-Bus and the in-guest server
/// of envs/osworld/python, in namespaces of their own. Their homes are copies
/// of a prepared one, in memory.
///
/// They end with this process, however it ends, and leave nothing on the disk
/// but the private directory, which a later process removes. A reset is a new
/// desktop: it takes half a second, and nothing can be left over.

#include "envs/osworld/desktops/options.hpp"

namespace brewery::osworld {

/// Error ec::exhausted names what is missing on this machine.
result<std::unique_ptr<desktop_provider>>
make_local_provider(const local_options& options);

} // namespace brewery::osworld

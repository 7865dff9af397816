#pragma once
/// Machines that somebody else runs: virtual machines of VMware, VirtualBox or
/// a cloud. Each has a command of the user's that resets it. Nothing is known
/// of their state, so each is reset before its first use.

#include "envs/osworld/desktops/options.hpp"

namespace brewery::osworld {

/// Error ec::invalid_config: there is none, or one has no reset command.
result<std::unique_ptr<desktop_provider>>
make_static_provider(const static_options& options);

} // namespace brewery::osworld

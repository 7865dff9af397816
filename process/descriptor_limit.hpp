#pragma once
/// How many descriptors this process may have open. The usual soft limit is
/// 1,024, which is for programs that use select(2); a coordinator needs one for
/// each peer, a worker some for each slot.

#include <optional>
#include <sys/resource.h>

namespace brewery {

/// Raises the soft limit to the hard one, for good. Children that
/// `child::spawn` starts keep the limit of before: they may use select, or
/// visit every number up to the limit. Call it before there are threads.
void raise_descriptor_limit();

/// For `child::spawn`: what a child gets; none if nothing was raised.
std::optional<rlimit> descriptor_limit_of_children();

} // namespace brewery

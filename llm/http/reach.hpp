#pragma once
/// Whether something listens at an address, before a run is begun that needs
/// it.

#include "llm/http/url.hpp"

#include <chrono>

namespace brewery {

/// Connects and closes again. Blocks for at most `limit`, without the look-up
/// of the name. The message has the address and the reason.
result<void> can_connect(const url& to, std::chrono::milliseconds limit);

} // namespace brewery

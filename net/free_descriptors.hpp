#pragma once
/// Whether there are descriptors for a socket of ZeroMQ. libzmq ends the
/// process where it gets none for its threads or for the address that it
/// listens on, so that is found out before. Later it says so, or tries again.

#include "base/result.hpp"

#include <cstddef>

namespace brewery {

/// What a context with one thread needs and one socket, its monitor and a
/// connection; what one with two needs and a port.
inline constexpr std::size_t dealer_descriptors = 16, gateway_descriptors = 24;

/// Error ec::io: fewer than `wanted` are free.
result<void> check_free_descriptors(std::size_t wanted);

} // namespace brewery

#pragma once
/// What libzmq says of a socket to its monitor.

#include <cstdint>
#include <cstring>
#include <optional>
#include <zmq.hpp>

namespace brewery {

struct monitor_event {
  std::uint16_t what = 0; ///< ZMQ_EVENT_...
  std::int32_t value = 0; ///< a descriptor, an error or a status: see `what`
};

/// The next that has arrived. `monitor` is the PAIR socket that listens.
inline std::optional<monitor_event> next_event(zmq::socket_t& monitor) {
  zmq::message_t event, address;
  while (monitor.recv(event, zmq::recv_flags::dontwait)) {
    if (event.more()) (void)!monitor.recv(address, zmq::recv_flags::dontwait);
    monitor_event out;
    if (event.size() < sizeof out.what + sizeof out.value) continue;
    std::memcpy(&out.what, event.data(), sizeof out.what);
    std::memcpy(&out.value, event.data<char>() + sizeof out.what,
                sizeof out.value);
    return out;
  }
  return std::nullopt;
}

} // namespace brewery

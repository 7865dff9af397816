#pragma once
/// ZeroMQ's own threads in real time (process/realtime.hpp).

#include "process/realtime.hpp"

#include <zmq.hpp>

namespace brewery {

/// Before the first socket of `context`. libzmq ends the process if it may not,
/// so `check_realtime` comes first.
inline void begin_in_realtime(zmq::context_t& context) {
  context.set(zmq::ctxopt::thread_sched_policy, realtime_policy);
  context.set(zmq::ctxopt::thread_priority, realtime_priority);
}

} // namespace brewery

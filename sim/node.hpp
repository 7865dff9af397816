#pragma once
/// The interface of a simulated process to the simulation.

#include "sim/network.hpp"

#include <string>

namespace brewery::simulated {

struct node_port {
  std::function<microseconds()> now; ///< the node's clock
  std::function<void(microseconds, std::function<void()>)> after;
  std::function<void(node_number, const wire::message&)> send;
  /// Called when an invariant is broken.
  std::function<void(std::string)> violated;
};

} // namespace brewery::simulated

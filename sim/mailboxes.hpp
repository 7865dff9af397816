#pragma once
/// Messages between the actors of one simulated process. Each is delayed a
/// little, and sometimes more, so messages interleave in any order. Messages
/// from one actor to another stay in order.

#include "base/rng.hpp"
#include "sim/node.hpp"

#include <deque>
#include <map>

namespace brewery::simulated {

/// Identifies an actor of the process. The owner assigns it.
using address = std::uint64_t;

class mailboxes {
public:
  mailboxes(const node_port& port, rng draw) : port_(port), draw_(draw) {}

  void post(address from, address to, std::function<void()> what) {
    const std::pair way{from, to};
    ways_[way].push_back(std::move(what));
    port_.after(delay(), [this, way] {
      const auto it = ways_.find(way);
      const auto first = std::move(it->second.front());
      it->second.pop_front();
      if (it->second.empty()) ways_.erase(it);
      first();
    });
  }

private:
  microseconds delay() {
    constexpr std::uint64_t usual_us = 100, longest_us = 20'000, seldom = 64;
    const auto longest = draw_.below(seldom) == 0 ? longest_us : usual_us;
    return microseconds{static_cast<std::int64_t>(draw_.below(longest))};
  }

  const node_port& port_;
  rng draw_;
  std::map<std::pair<address, address>, std::deque<std::function<void()>>>
      ways_;
};

} // namespace brewery::simulated

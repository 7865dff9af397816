#pragma once
/// Events in order of simulated time; ties in order of scheduling.

#include "cluster/options.hpp"

#include <functional>
#include <queue>
#include <vector>

namespace brewery::simulated {

class clockwork {
public:
  using action = std::function<void()>;

  [[nodiscard]] instant now() const { return now_; }

  void at(instant when, action what) {
    events_.push({std::max(when, now_), next_++, std::move(what)});
  }
  void after(instant delay, action what) { at(now_ + delay, std::move(what)); }

  /// Runs the next event; false when there is none.
  bool step() {
    if (events_.empty()) return false;
    // The queue gives out const references only; the event is popped at once.
    auto next = std::move(const_cast<event&>(events_.top()));
    events_.pop();
    now_ = next.when;
    next.what();
    return true;
  }

private:
  struct event {
    instant when;
    std::uint64_t order;
    action what;
    bool operator<(const event& other) const {
      return when != other.when ? when > other.when : order > other.order;
    }
  };
  instant now_{0};
  std::uint64_t next_ = 0;
  std::priority_queue<event> events_;
};

} // namespace brewery::simulated

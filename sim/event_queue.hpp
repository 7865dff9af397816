#pragma once
/// Events in order of simulated time. Events of equal time run in the order of
/// scheduling.

#include "cluster/options.hpp"

#include <functional>
#include <queue>
#include <vector>

namespace brewery::simulated {

class event_queue {
public:
  using action = std::function<void()>;

  [[nodiscard]] microseconds now() const { return now_; }

  void at(microseconds when, action what) {
    events_.push({std::max(when, now_), next_++, std::move(what)});
  }
  void after(microseconds delay, action what) {
    at(now_ + delay, std::move(what));
  }

  /// Runs the next event. Returns false if there is none.
  bool step() {
    if (events_.empty()) return false;
    // The queue returns only const references; the event is popped at once.
    auto next = std::move(const_cast<event&>(events_.top()));
    events_.pop();
    now_ = next.when;
    next.what();
    return true;
  }

private:
  struct event {
    microseconds when;
    std::uint64_t order;
    action what;
    bool operator<(const event& other) const {
      return when != other.when ? when > other.when : order > other.order;
    }
  };
  microseconds now_{0};
  std::uint64_t next_ = 0;
  std::priority_queue<event> events_;
};

} // namespace brewery::simulated

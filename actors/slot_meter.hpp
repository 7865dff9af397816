#pragma once
/// How many slots there were, over time: workers come and go in the middle of a
/// phase. The pool writes it, searches read it. Thread-safe.

#include <chrono>
#include <cstddef>
#include <mutex>

namespace brewery {

class slot_meter {
public:
  using clock = std::chrono::steady_clock;

  /// From `now` on.
  void set(std::size_t slots, clock::time_point now) {
    const std::lock_guard lock{mutex_};
    advance(now);
    slots_ = slots;
  }

  /// Slots times seconds since it was made; the difference of two such values
  /// over the time between them is the mean number of slots.
  [[nodiscard]] double slot_seconds(clock::time_point now) {
    const std::lock_guard lock{mutex_};
    advance(now);
    return sum_;
  }

private:
  void advance(clock::time_point now) {
    if (now <= since_) return; // another thread was quicker
    sum_ += static_cast<double>(slots_)
            * std::chrono::duration<double>(now - since_).count();
    since_ = now;
  }

  std::mutex mutex_;
  std::size_t slots_ = 0;     ///< guarded by mutex_
  double sum_ = 0;            ///< guarded by mutex_
  clock::time_point since_{}; ///< guarded by mutex_
};

} // namespace brewery

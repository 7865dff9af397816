#pragma once
/// Copy on write: copies share one immutable value until one of them edits it.
/// A fresh environment shares all records of its benchmark and copies only
/// those that it changes. Copies may be on different threads; one holder may be
/// used by one thread at a time.

#include <atomic>
#include <memory>
#include <utility>

namespace brewery::tau2 {

template <class T>
class cow {
public:
  cow() : held_(std::make_shared<T>()) {}
  explicit cow(T value) : held_(std::make_shared<T>(std::move(value))) {}

  const T& operator*() const { return *held_; }
  const T* operator->() const { return held_.get(); }

  /// The value for editing; copied first if it is shared.
  T& edit() {
    if (held_.use_count() != 1) {
      held_ = std::make_shared<T>(*held_);
    } else {
      // Another thread may have dropped its share just now: its last reads
      // must come before our first write.
      std::atomic_thread_fence(std::memory_order_acquire);
    }
    return *held_;
  }

  [[nodiscard]] bool shares_with(const cow& other) const {
    return held_ == other.held_;
  }

private:
  std::shared_ptr<T> held_;
};

} // namespace brewery::tau2

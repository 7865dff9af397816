#pragma once
/// An immutable value whose copies share it. For parts of messages that are
/// large, copied often and equal in many messages, such as insights. On the
/// wire, in logs and as JSON it is the value itself. Copies may be read by
/// several threads.

#include <memory>
#include <utility>

namespace brewery {

template <class T>
class shared_value {
public:
  using value_type = T;

  shared_value() = default;
  // Implicit, as it stands wherever the value did.
  shared_value(T value) // NOLINT(google-explicit-constructor)
      : value_(std::make_shared<const T>(std::move(value))) {}

  [[nodiscard]] const T& get() const {
    static const T none{};
    return value_ ? *value_ : none;
  }
  const T& operator*() const { return get(); }
  const T* operator->() const { return &get(); }

  /// True if both are one object, not only equal.
  [[nodiscard]] bool same(const shared_value& other) const {
    return value_ == other.value_;
  }
  /// True if no other copy exists.
  [[nodiscard]] bool alone() const { return value_.use_count() <= 1; }

  bool operator==(const shared_value& other) const {
    return same(other) || get() == other.get();
  }

private:
  std::shared_ptr<const T> value_;
};

template <class T>
inline constexpr bool is_shared_value = false;
template <class T>
inline constexpr bool is_shared_value<shared_value<T>> = true;

} // namespace brewery

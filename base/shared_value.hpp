#pragma once
/// An immutable value whose copies share it. For parts of messages that are
/// large, copied often and equal in many messages, such as insights. On the
/// wire, in logs and as JSON it is the value itself. Copies may be read by
/// several threads.

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace brewery {

template <class T>
class shared_value {
public:
  using value_type = T;

  shared_value() = default;
  // Implicit, as it stands wherever the value did.
  shared_value(T value) // NOLINT(google-explicit-constructor)
      : shared_(new cell{std::move(value)}) {}

  /// A value that `fill(T&)` makes where it will stay.
  template <class Fill>
  static shared_value made_by(Fill fill) {
    boost::intrusive_ptr<cell> made{new cell};
    fill(made->value);
    shared_value out;
    out.shared_ = std::move(made);
    return out;
  }

  [[nodiscard]] const T& get() const {
    static const T none{};
    return shared_ ? shared_->value : none;
  }
  const T& operator*() const { return get(); }
  const T* operator->() const { return &get(); }

  /// True if both are one object, not only equal.
  [[nodiscard]] bool same(const shared_value& other) const {
    return shared_ == other.shared_;
  }
  /// How many copies share it; 0: there is none.
  [[nodiscard]] std::size_t held_by() const {
    return shared_ ? shared_->use_count() : 0;
  }
  /// True if no other copy exists.
  [[nodiscard]] bool alone() const { return held_by() <= 1; }

  bool operator==(const shared_value& other) const {
    return same(other) || get() == other.get();
  }

private:
  // Hundreds of thousands of insights name five texts and five lists each: a
  // pointer takes half the memory of the standard's.
  struct cell : boost::intrusive_ref_counter<cell> {
    cell() = default;
    explicit cell(T made) : value(std::move(made)) {}
    T value{};
  };
  boost::intrusive_ptr<const cell> shared_;
};

/// A text that many messages name: where a std::string was read, it is one.
class shared_text : public shared_value<std::string> {
public:
  shared_text() = default;
  // Implicit, as it stands wherever the text did.
  shared_text(std::string text) { // NOLINT(google-explicit-constructor)
    if (!text.empty())
      static_cast<shared_value&>(*this) = shared_value{std::move(text)};
  }
  shared_text(std::string_view text) // NOLINT(google-explicit-constructor)
      : shared_text(std::string{text}) {}
  shared_text(const char* text) // NOLINT(google-explicit-constructor)
      : shared_text(std::string{text}) {}

  // NOLINTNEXTLINE(google-explicit-constructor)
  operator const std::string&() const { return get(); }
  // NOLINTNEXTLINE(google-explicit-constructor)
  operator std::string_view() const { return get(); }
  [[nodiscard]] bool empty() const { return get().empty(); }
  [[nodiscard]] std::size_t size() const { return get().size(); }

  bool operator==(const shared_text&) const = default;
  bool operator==(std::string_view other) const { return get() == other; }
  bool operator==(const std::string& other) const { return get() == other; }
  bool operator==(const char* other) const { return get() == other; }
};

template <class T>
inline constexpr bool is_shared_value = false;
template <class T>
inline constexpr bool is_shared_value<shared_value<T>> = true;
template <>
inline constexpr bool is_shared_value<shared_text> = true;

} // namespace brewery

#pragma once
/// `result<T>`: a value or an `error`, because GCC 12 has no std::expected.
///
///   result<task> load(path p);
///   auto t = load(p);
///   if (!t) return t.error();
///   use(*t);

#include "base/error.hpp"

#include <utility>
#include <variant>

namespace brewery {

template <class T>
class [[nodiscard]] result {
public:
  result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  result(brewery::error err) : state_(std::in_place_index<1>, std::move(err)) {}

  [[nodiscard]] bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  T& operator*() & {
    BREWERY_ASSERT(has_value());
    return *std::get_if<0>(&state_);
  }
  const T& operator*() const& {
    BREWERY_ASSERT(has_value());
    return *std::get_if<0>(&state_);
  }
  T&& operator*() && {
    BREWERY_ASSERT(has_value());
    return std::move(*std::get_if<0>(&state_));
  }
  T* operator->() { return &**this; }
  const T* operator->() const { return &**this; }

  [[nodiscard]] const brewery::error& error() const {
    BREWERY_ASSERT(!has_value());
    return *std::get_if<1>(&state_);
  }

private:
  std::variant<T, brewery::error> state_;
};

template <>
class [[nodiscard]] result<void> {
public:
  result() = default;
  result(brewery::error err) : error_(std::move(err)), failed_(true) {}

  [[nodiscard]] bool has_value() const noexcept { return !failed_; }
  explicit operator bool() const noexcept { return has_value(); }
  [[nodiscard]] const brewery::error& error() const {
    BREWERY_ASSERT(failed_);
    return error_;
  }

private:
  brewery::error error_;
  bool failed_ = false;
};

} // namespace brewery

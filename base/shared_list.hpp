#pragma once
/// An immutable list whose copies share their items. For members of messages
/// that are large and copied often, such as the insights of an integration: a
/// job is copied for each draw, each queue and each mailbox. On the wire, in
/// logs and as JSON it is a std::vector. Copies may be read by several threads.

#include "base/shared_value.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace brewery {

template <class T>
class shared_list {
public:
  using value_type = T;

  shared_list() = default;
  // Implicit, as the list stands wherever the vector did.
  shared_list(std::vector<T> items) // NOLINT(google-explicit-constructor)
      : shared_(numbered{std::move(items)}) {}
  shared_list(std::initializer_list<T> items)
      : shared_list(std::vector<T>{items}) {}

  [[nodiscard]] const std::vector<T>& items() const { return shared_->items; }
  [[nodiscard]] auto begin() const { return items().begin(); }
  [[nodiscard]] auto end() const { return items().end(); }
  [[nodiscard]] std::size_t size() const { return items().size(); }
  [[nodiscard]] bool empty() const { return items().empty(); }
  [[nodiscard]] const T& front() const { return items().front(); }
  const T& operator[](std::size_t i) const { return items()[i]; }

  /// Tells later whether a list still is the one that was seen, without
  /// keeping its items.
  class witness {
  public:
    witness() = default;
    explicit witness(const shared_list& list) : number_(list.number()) {}
    [[nodiscard]] bool saw(const shared_list& list) const {
      return number_ != 0 && number_ == list.number();
    }

  private:
    std::uint64_t number_ = 0;
  };
  [[nodiscard]] witness seen() const { return witness{*this}; }

  /// How many lists share the items; 0 without items.
  [[nodiscard]] std::size_t held_by() const { return shared_.held_by(); }

  bool operator==(const shared_list& other) const {
    return shared_.same(other.shared_) || items() == other.items();
  }

private:
  static std::uint64_t next_number() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
  }

  struct numbered {
    std::vector<T> items;
    std::uint64_t number = next_number(); ///< no other list's, ever
  };

  /// 0: without items.
  [[nodiscard]] std::uint64_t number() const {
    return shared_.held_by() > 0 ? shared_->number : 0;
  }

  shared_value<numbered> shared_;
};

template <class T>
inline constexpr bool is_shared_list = false;
template <class T>
inline constexpr bool is_shared_list<shared_list<T>> = true;

} // namespace brewery

#pragma once
/// An immutable list whose copies share their items. For members of messages
/// that are large and copied often, such as the insights of an integration: a
/// job is copied for each draw, each queue and each mailbox. On the wire, in
/// logs and as JSON it is a std::vector. Copies may be read by several threads.

#include <cstddef>
#include <initializer_list>
#include <memory>
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
      : items_(std::make_shared<const std::vector<T>>(std::move(items))) {}
  shared_list(std::initializer_list<T> items)
      : shared_list(std::vector<T>{items}) {}

  [[nodiscard]] const std::vector<T>& items() const {
    static const std::vector<T> none;
    return items_ ? *items_ : none;
  }
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
    explicit witness(std::weak_ptr<const std::vector<T>> items)
        : items_(std::move(items)) {}
    [[nodiscard]] bool saw(const shared_list& list) const {
      const auto items = items_.lock();
      return items != nullptr && items == list.items_;
    }

  private:
    std::weak_ptr<const std::vector<T>> items_;
  };
  [[nodiscard]] witness seen() const { return witness{items_}; }

  /// How many lists share the items; 0 without items.
  [[nodiscard]] long held_by() const { return items_.use_count(); }

  bool operator==(const shared_list& other) const {
    return items_ == other.items_ || items() == other.items();
  }

private:
  std::shared_ptr<const std::vector<T>> items_;
};

template <class T>
inline constexpr bool is_shared_list = false;
template <class T>
inline constexpr bool is_shared_list<shared_list<T>> = true;

} // namespace brewery

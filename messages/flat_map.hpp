#pragma once
/// A hash map from 64-bit keys in one piece of memory: looking up one of
/// hundreds of thousands takes one line of memory that is in no cache, where
/// std::unordered_map takes two or three, and it may be asked for in advance
/// (`prefetch`). Keys are hashes or addresses: anything but 0. Entries move
/// when one is added or when some are erased. Owned by one thread. Pure.

#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace brewery {

template <class T>
class flat_map {
public:
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Asks for the memory of the key, without waiting.
  void prefetch(std::uint64_t key) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[place_of(key)]);
  }

  /// Null: it is not here.
  [[nodiscard]] const T* find(std::uint64_t key) const {
    if (slots_.empty()) return nullptr;
    const auto& slot = slots_[place_for(key)];
    return slot.key == 0 ? nullptr : &slot.value;
  }

  /// The value of the key, and whether it was added: then it is T{}.
  std::pair<T*, bool> try_emplace(std::uint64_t key) {
    BREWERY_ASSERT(key != 0);
    // Three quarters full, a search looks at 2.5 places in the mean.
    if (4 * (size_ + 1) > 3 * slots_.size()) resize(bits_ + 1);
    auto& slot = slots_[place_for(key)];
    const bool added = slot.key == 0;
    if (added) {
      slot.key = key;
      ++size_;
    }
    return {&slot.value, added};
  }

  /// Calls `f` once with each value, and before that `ask` with most of them,
  /// to prefetch what `f` will look at.
  template <class Ask, class F>
  void erase_if(Ask ask, F f) {
    constexpr std::size_t ahead = 16;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if (i + ahead < slots_.size() && slots_[i + ahead].key != 0)
        ask(slots_[i + ahead].value);
      auto& slot = slots_[i];
      if (slot.key == 0) continue;
      if (f(std::as_const(slot.value)))
        slot = {};
      else
        ++kept;
    }
    if (kept == size_) return;
    size_ = kept;
    resize(bits_); // closes the gaps
  }

private:
  struct entry {
    std::uint64_t key = 0; ///< 0: empty
    T value{};
  };
  static constexpr unsigned least_bits = 4;

  [[nodiscard]] std::size_t place_of(std::uint64_t key) const {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;
    return static_cast<std::size_t>(key * odd >> (64U - bits_));
  }

  /// Where the key is, or would be.
  [[nodiscard]] std::size_t place_for(std::uint64_t key) const {
    auto at = place_of(key);
    while (slots_[at].key != 0 && slots_[at].key != key)
      at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  void resize(unsigned bits) {
    bits_ = bits < least_bits ? least_bits : bits;
    std::vector<entry> before(std::size_t{1} << bits_);
    before.swap(slots_);
    for (auto& slot : before)
      if (slot.key != 0) slots_[place_for(slot.key)] = std::move(slot);
  }

  std::vector<entry> slots_; ///< none, or a power of two
  unsigned bits_ = 0;
  std::size_t size_ = 0;
};

} // namespace brewery

#pragma once
/// Many texts in one piece of memory. A result has hundreds, is read on one
/// thread and used on another: a string each would be made here and freed
/// there. On the wire it is a list of texts. PURE.

#include "base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

class text_table {
public:
  using value_type = std::string; ///< of the list

  class const_iterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = std::string_view;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = std::string_view;

    const_iterator() = default;
    const_iterator(const text_table& in, std::size_t at) : in_(&in), at_(at) {}
    std::string_view operator*() const { return (*in_)[at_]; }
    const_iterator& operator++() {
      ++at_;
      return *this;
    }
    const_iterator operator++(int) {
      auto before = *this;
      ++at_;
      return before;
    }
    bool operator==(const const_iterator&) const = default;

  private:
    const text_table* in_ = nullptr;
    std::size_t at_ = 0;
  };

  /// For so many texts, of so many bytes together: less than 4 GB.
  void reserve(std::size_t texts, std::size_t bytes) {
    ends_.reserve(texts);
    bytes_.reserve(bytes);
  }
  void push_back(std::string_view text) {
    bytes_ += text;
    BREWERY_ASSERT(bytes_.size() <= UINT32_MAX);
    ends_.push_back(static_cast<std::uint32_t>(bytes_.size()));
  }
  void clear() {
    bytes_.clear();
    ends_.clear();
  }

  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] bool empty() const { return ends_.empty(); }
  [[nodiscard]] std::string_view operator[](std::size_t at) const {
    const std::size_t begin = at == 0 ? 0 : ends_[at - 1];
    return std::string_view{bytes_}.substr(begin, ends_[at] - begin);
  }
  [[nodiscard]] const_iterator begin() const { return {*this, 0}; }
  [[nodiscard]] const_iterator end() const { return {*this, size()}; }

  bool operator==(const text_table&) const = default;

private:
  std::string bytes_;
  std::vector<std::uint32_t> ends_; ///< of each text in `bytes_`
};

} // namespace brewery

#pragma once
/// Reads what `pack` wrote (messages/packed_insights.hpp), one insight after
/// the other, without making insights of it. Whatever the bytes are, it reads
/// within them and stops at a number of bytes that the insights would take. For
/// the files that read packed insights. PURE.

#include "messages/text_table.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// One insight: its texts in the order of `pack`, and its lists, by number.
struct packed_numbers {
  std::array<std::uint32_t, 5> texts{};
  std::array<std::uint32_t, 5> lists{};
  bool met = false;
  std::vector<std::uint32_t> steps;
};

class packed_reader {
public:
  using number = std::uint32_t;
  using list_table = std::vector<std::vector<number>>;

  /// All three outlive the reader. `insight_bytes`: what one takes without its
  /// texts.
  packed_reader(const text_table& texts, const list_table& lists,
                std::string_view numbers, std::size_t insight_bytes,
                std::size_t bytes_max)
      : texts_(texts), list_count_(lists.size()), numbers_(numbers),
        insight_bytes_(insight_bytes), bytes_max_(bytes_max) {
    for (const auto& list : lists)
      for (const auto at : list)
        if (!failed_) text(at);
  }

  /// `out` is worth something only if nothing has failed.
  void next(packed_numbers& out) {
    count_bytes(insight_bytes_);
    for (auto& at : out.texts) {
      at = get();
      text(at);
    }
    for (auto& at : out.lists) {
      at = get();
      failed_ = failed_ || at >= list_count_;
    }
    out.met = get_flag();
    out.steps.clear();
    for (auto left = get(); left > 0 && !failed_; --left) {
      count_bytes(sizeof(number));
      out.steps.push_back(get());
    }
  }

  std::string_view text(number at) {
    if (failed_ || at >= texts_.size()) {
      failed_ = true;
      return {};
    }
    const auto found = texts_[at];
    count_bytes(sizeof(std::string) + found.size());
    return found;
  }

  number get() {
    std::uint64_t out = 0;
    for (unsigned shift = 0; shift < 35 && at_ < numbers_.size(); shift += 7) {
      const auto byte = static_cast<unsigned char>(numbers_[at_++]);
      out |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte >= 0x80) continue;
      if (out > std::numeric_limits<number>::max()) break;
      return static_cast<number>(out);
    }
    failed_ = true;
    return 0;
  }

  bool get_flag() {
    const auto value = get();
    failed_ = failed_ || value > 1;
    return value == 1;
  }

  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] bool at_end() const { return at_ == numbers_.size(); }

private:
  void count_bytes(std::size_t more) {
    bytes_ += more;
    failed_ = failed_ || bytes_ > bytes_max_;
  }

  const text_table& texts_;
  std::size_t list_count_;
  std::string_view numbers_;
  std::size_t insight_bytes_, bytes_max_;
  std::size_t at_ = 0;
  std::size_t bytes_ = 0; ///< of texts and steps, as often as they are named
  bool failed_ = false;
};

} // namespace brewery

#include "kb/term_counts.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <limits>

namespace brewery {

namespace {

/// Twice a term must be a number still.
constexpr auto term_end = std::numeric_limits<std::uint32_t>::max() / 2;

void append(std::uint32_t number, std::vector<std::uint8_t>& out) {
  for (; number >= 0x80U; number >>= 7U)
    out.push_back(static_cast<std::uint8_t>(number | 0x80U));
  out.push_back(static_cast<std::uint8_t>(number));
}

} // namespace

void term_counts::add(std::span<const term_id> terms) {
  packed_.clear();
  std::uint32_t distinct = 0;
  for (std::size_t i = 0; i < terms.size(); ++i)
    distinct += i == 0 || terms[i] != terms[i - 1];
  append(distinct, packed_);
  term_id before = 0;
  for (std::size_t i = 0; i < terms.size();) {
    const auto term = terms[i];
    BREWERY_ASSERT(term < term_end);
    std::uint32_t times = 0;
    for (; i < terms.size() && terms[i] == term; ++i)
      ++times;
    append(2 * (term - before) + (times > 1 ? 1 : 0), packed_);
    if (times > 1) append(times, packed_);
    if (texts_with_.size() <= term) texts_with_.resize(term + std::size_t{1});
    ++texts_with_[term];
    before = term;
  }
  constexpr std::size_t block_bytes = std::size_t{1} << 20U;
  if (blocks_.empty()
      || blocks_.back().size() + packed_.size() > blocks_.back().capacity())
    blocks_.emplace_back().reserve(std::max(block_bytes, packed_.size()));
  auto& last = blocks_.back();
  last.insert(last.end(), packed_.begin(), packed_.end());
}

} // namespace brewery

#pragma once
/// How often each text has each term, text by text, until an index is made of
/// them: of a million texts these are tens of millions of pairs, about two
/// bytes each. A text is the number of its terms and then, for each of these
/// ascending, twice the distance from the one before, and one more if it is
/// there more than once, followed by how often; numbers in seven bits a byte.
/// Owned by who builds the index. PURE; not thread-safe.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace brewery {

class term_counts {
public:
  using term_id = std::uint32_t;

  /// The next text; `terms` ascend, and are repeated as often as they come.
  void add(std::span<const term_id> terms);

  /// Of each term, in how many texts it is; as long as the largest term asks.
  [[nodiscard]] const std::vector<std::uint32_t>& texts_with() const {
    return texts_with_;
  }

  /// Calls `take(text, term, times)` for all, in order, and gives the memory
  /// back on the way: nothing is left.
  template <class Take>
  void drain(Take&& take) {
    std::uint32_t text = 0;
    auto all = std::exchange(blocks_, {});
    for (auto& each : all) {
      const auto bytes = std::exchange(each, {});
      for (std::size_t at = 0; at < bytes.size(); ++text) {
        auto left = next(bytes, at);
        for (term_id term = 0; left > 0; --left) {
          const auto step = next(bytes, at);
          term += step / 2;
          take(text, term, step % 2 == 0 ? 1 : next(bytes, at));
        }
      }
    }
  }

private:
  using block = std::vector<std::uint8_t>;

  static std::uint32_t next(const block& bytes, std::size_t& at) {
    std::uint32_t out = bytes[at] & 0x7FU;
    for (unsigned shift = 7; bytes[at++] >= 0x80U; shift += 7)
      out |= (bytes[at] & 0x7FU) << shift;
    return out;
  }

  std::vector<block> blocks_; ///< of whole texts
  std::vector<std::uint32_t> texts_with_;
  block packed_; ///< the text that is added
};

} // namespace brewery

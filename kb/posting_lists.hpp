#pragma once
/// Lists of documents with what each adds to a score, and the search for the
/// best sums over some lists. Small collections are summed whole; in large ones
/// a search by MaxScore (Turtle, Flood: Query evaluation: strategies and
/// optimizations, 1995) skips what cannot be among the best: while the best so
/// far all beat the sum of the most that some lists can add, a document that is
/// only in these is not looked at. Both give the same scores, bit for bit, and
/// the same order. Immutable once filled; then thread-safe.

#include "kb/retriever.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace brewery {

class posting_lists {
public:
  using list_id = std::uint32_t;

  /// Up to `scan_below` documents are summed whole.
  explicit posting_lists(std::size_t scan_below = 2000)
      : scan_below_(scan_below) {}

  /// Makes one list for each size, to be filled with so many documents.
  void open(std::span<const std::uint32_t> sizes);
  /// Documents of a list ascend; `score` is at least 0.
  void add(list_id to, std::uint32_t document, float score);

  /// The `limit` highest sums over the lists, best first, ties by the lower
  /// document; without those of 0. Scores are summed in the order of `lists`.
  [[nodiscard]] std::vector<retrieved> best(std::span<const list_id> lists,
                                            std::size_t limit) const;

  /// The sum of every document below `size`, without a search for the best.
  void sums(std::span<const list_id> lists, std::size_t size,
            std::vector<double>& out) const;

private:
  struct list {
    std::size_t begin = 0; ///< into the two below
    std::size_t end = 0;
    float most = 0; ///< of its scores
  };
  struct cursor;

  [[nodiscard]] std::vector<retrieved> scan(std::span<const list_id> lists,
                                            std::size_t limit) const;
  [[nodiscard]] std::vector<retrieved> skip(std::span<const list_id> lists,
                                            std::size_t limit) const;

  std::size_t scan_below_;
  std::uint32_t size_ = 0; ///< one more than the last document
  std::vector<list> lists_;
  std::vector<std::uint32_t> documents_; ///< of all lists
  std::vector<float> scores_;            ///< likewise
};

} // namespace brewery

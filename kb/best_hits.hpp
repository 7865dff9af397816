#pragma once
/// The best documents of a search, in order: higher score first, then the lower
/// index. Owned by one search.

#include "kb/retriever.hpp"

#include <algorithm>

namespace brewery {

inline bool is_better(const retrieved& a, const retrieved& b) {
  return a.score != b.score ? a.score > b.score : a.index < b.index;
}

class best_hits {
public:
  explicit best_hits(std::size_t limit) : limit_(limit) {}

  void add(const retrieved& item) {
    if (found_.size() < limit_) {
      found_.push_back(item);
      std::ranges::push_heap(found_, is_better);
    } else if (limit_ > 0 && is_better(item, found_.front())) {
      std::ranges::pop_heap(found_, is_better);
      found_.back() = item;
      std::ranges::push_heap(found_, is_better);
    }
  }

  /// Below it, no score is among the best so far.
  [[nodiscard]] double least() const {
    return found_.size() < limit_ || limit_ == 0 ? 0 : found_.front().score;
  }

  std::vector<retrieved> take() {
    std::ranges::sort_heap(found_, is_better);
    return std::move(found_);
  }

private:
  std::size_t limit_;
  std::vector<retrieved> found_; ///< a heap with the worst on top
};

} // namespace brewery

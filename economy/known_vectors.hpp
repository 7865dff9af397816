#pragma once
/// The vectors of documents and queries, as far as they are known, for
/// retrieval that is replayed. An embedder is asked for those that lack by
/// whoever owns this. Not thread-safe. PURE.

#include "base/hash.hpp"
#include "base/text.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace brewery {

using text_vector = std::shared_ptr<const std::vector<double>>;

class known_vectors {
public:
  /// Null: it is not known. A blank text has the empty vector, as in an agent's
  /// retrieval.
  [[nodiscard]] text_vector find(std::string_view text) const {
    return trim(text).empty() ? blank_ : find_hash(content_hash(text));
  }

  void add(std::string_view text, text_vector made) {
    numbers_ += made->size();
    by_hash_.insert_or_assign(content_hash(text), std::move(made));
  }

  /// Of all vectors, for who bounds memory.
  [[nodiscard]] std::size_t numbers() const { return numbers_; }

  void forget() {
    by_hash_.clear();
    numbers_ = 0;
  }

private:
  [[nodiscard]] text_vector find_hash(const std::string& hash) const {
    const auto found = by_hash_.find(hash);
    return found == by_hash_.end() ? nullptr : found->second;
  }

  text_vector blank_ = std::make_shared<const std::vector<double>>();
  std::unordered_map<std::string, text_vector> by_hash_;
  std::size_t numbers_ = 0;
};

} // namespace brewery

#pragma once
/// The retrieval port: ranks documents for a query. BM25 (kb/bm25.hpp), vectors
/// (kb/dense/dense_index.hpp) and both together (kb/fusion.hpp) implement it. A
/// retriever is built once per knowledge base, immutable, and shared by all
/// threads.

#include "base/ids.hpp"

#include <concepts>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

struct retrieved {
  std::size_t index = 0; ///< into the documents it was built from
  double score = 0;      ///< higher is better; only the order is meaningful
};

/// A query, and the embedder's vector of it for those that need one. Both must
/// outlive the search.
struct retrieval_query {
  template <class Text>
  requires std::convertible_to<const Text&, std::string_view>
  retrieval_query(const Text& words) : text(words) {}
  retrieval_query(std::string_view words, std::span<const double> place)
      : text(words), vector(place) {}

  std::string_view text;
  std::span<const double> vector; ///< empty: it has none, and is near nothing
};

class retriever {
public:
  virtual ~retriever() = default;

  /// Up to `limit` documents with positive score, best first, ties by index. A
  /// smaller limit gives the beginning of what a larger one gives.
  virtual std::vector<retrieved> search(const retrieval_query& query,
                                        std::size_t limit) const = 0;

  virtual std::size_t size() const = 0;

  /// The length of the vectors that queries must have if they have one; 0: it
  /// needs none.
  virtual std::size_t dimensions() const { return 0; }
};

} // namespace brewery

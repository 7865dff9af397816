#pragma once
/// The retrieval port: ranks documents for a query. BM25 implements it. A
/// retriever is built once per knowledge base, immutable, and shared by all
/// threads.

#include "base/ids.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

struct retrieved {
  std::size_t index = 0; ///< into the documents it was built from
  double score = 0;      ///< higher is better; only the order is meaningful
};

class retriever {
public:
  virtual ~retriever() = default;

  /// Up to `limit` documents with positive score, best first, ties by index.
  virtual std::vector<retrieved> search(std::string_view query,
                                        std::size_t limit) const = 0;

  virtual std::size_t size() const = 0;
};

} // namespace brewery

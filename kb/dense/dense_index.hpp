#pragma once
/// Retrieval by the cosine of the query's vector and the documents' vectors: an
/// immutable `retriever`. Below `exact_below` vectors all coarse codes are
/// scanned; what could be among the best by their error is compared in full,
/// so the ranking is that of the whole codes. Above, graphs find about the
/// nearest of each segment, as many as its size asks for, and those are
/// compared in full: no search gives more than these. Documents at right angles
/// to the query or further from it are not found, nor those without a vector.
/// Ties go to the lower index. Thread-safe.

#include "kb/dense/vector_codes.hpp"
#include "kb/retriever.hpp"

#include <functional>

namespace brewery {

class hnsw_segment;

struct dense_options {
  std::size_t exact_below = 100'000;
  std::size_t segment = 500'000; ///< most vectors of one graph
  /// Candidates of a graph: the more vectors it has, the more of those near a
  /// query does a search miss that looks at so many.
  std::size_t least_breadth = 100;
  std::size_t vectors_per_breadth = 2500;
};

/// Does all of these and returns; the parts do not depend on each other.
using parts_runner =
    std::function<void(std::vector<std::function<void()>> parts)>;

class dense_index final : public retriever {
public:
  /// `run` builds the graphs, one segment each; by default one by one. The
  /// index does not depend on it.
  explicit dense_index(vector_codes codes, const dense_options& options = {},
                       const parts_runner& run = {});
  ~dense_index() override;
  dense_index(const dense_index&) = delete;
  dense_index& operator=(const dense_index&) = delete;

  /// A vector of another length than `dimensions` finds nothing.
  std::vector<retrieved> search(const retrieval_query& query,
                                std::size_t limit) const override;

  /// Of one vector and the query, from all of its code.
  [[nodiscard]] double cosine_of(std::size_t i, const coded_query& query) const;

  std::size_t size() const override { return codes_.size(); }
  std::size_t dimensions() const override { return codes_.dimensions(); }

private:
  std::vector<retrieved> scan(const coded_query& query,
                              std::size_t limit) const;
  std::vector<retrieved> follow(const coded_query& query,
                                std::size_t limit) const;

  vector_codes codes_;
  std::size_t breadth_ = 0; ///< of each graph
  std::vector<std::unique_ptr<const hnsw_segment>> segments_;
};

/// The codes of these vectors, in order; empty ones are near nothing. Error
/// ec::invalid_argument: two lengths, or a number that is not finite.
result<vector_codes> codes_of(std::span<const std::span<const double>> vectors);

} // namespace brewery

#pragma once
/// A graph over the coarse codes of neighbouring vectors, for search without a
/// scan (Malkov, Yashunin: hierarchical navigable small worlds, 2018), by
/// hnswlib. Built once by one thread, in the order of the vectors, so that
/// equal vectors give equal graphs; then immutable, because hnswlib may not be
/// searched while it is added to. Thread-safe.

#include "kb/dense/vector_codes.hpp"

#include <memory>

namespace brewery {

class hnsw_segment {
public:
  /// Of the vectors `begin` to `end`, with a copy of their coarse codes. Those
  /// that are nowhere are left out.
  hnsw_segment(const vector_codes& codes, std::size_t begin, std::size_t end);
  ~hnsw_segment();
  hnsw_segment(const hnsw_segment&) = delete;
  hnsw_segment& operator=(const hnsw_segment&) = delete;

  struct hit {
    std::size_t index = 0; ///< of the vector
    std::span<const std::int8_t> coarse;
  };
  /// About the `count` nearest by their coarse codes, in no order.
  [[nodiscard]] std::vector<hit> nearest(const coded_query& query,
                                         std::size_t count) const;

  /// Of a vector that is in it, by its index.
  [[nodiscard]] std::span<const std::int8_t> coarse(std::size_t index) const;

private:
  struct graph;
  std::unique_ptr<graph> graph_;
};

} // namespace brewery

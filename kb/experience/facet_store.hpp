#pragma once
/// The vectors of experiences, and the weighted sum of their products with a
/// query's: sum over facets of w_f a_f b_f. Kept as they are (`whole`), the sum
/// is exact, and codes only tell soon what it cannot reach; else only codes are
/// kept, 2 bytes for each number, and the sum is off by less than 1e-3 for
/// vectors of length 1. Owned by one index. PURE; thread-safe once filled.

#include "kb/dense/vector_codes.hpp"

#include <array>
#include <memory>

namespace brewery {

class dense_index;

/// The facets that are compared as vectors: problem, goal, characteristics.
inline constexpr std::size_t facet_count = 3;
using facet_vectors = std::array<std::vector<double>, facet_count>;

/// A query's facets, prepared for comparison. The vectors must outlive it.
struct facet_query {
  const facet_vectors* whole = nullptr;
  std::array<coded_query, facet_count> codes;
  std::array<double, facet_count> lengths{};
  double longest = 0; ///< of the lengths
};

class facet_store {
public:
  facet_store() = default;
  /// `expected`: how many will be added.
  facet_store(const std::array<double, facet_count>& weights, bool whole,
              std::size_t expected);

  /// Error ec::invalid_argument: another length than the vectors of this facet
  /// before it, or a number that is not finite.
  result<void> add(facet_vectors facets);

  /// A query of which a vector is not finite is near nothing in that facet, and
  /// so is one of another length.
  [[nodiscard]] facet_query prepare(const facet_vectors& facets) const;

  /// Three bounds of the sum, each nearer and dearer; the last one is the sum.
  [[nodiscard]] double most(std::size_t i, const facet_query& query) const {
    return static_cast<double>(reach_[i]) * query.longest;
  }
  [[nodiscard]] double most_by_codes(std::size_t i,
                                     const facet_query& query) const;
  [[nodiscard]] double sum(std::size_t i, const facet_query& query) const;

  /// Moves the codes of the first facet into an index of its own, which then
  /// answers for them. Only if not whole.
  std::shared_ptr<const dense_index> index_first();

private:
  struct facet {
    double weight = 0;
    std::size_t dimensions = 0; ///< 0: nobody has it yet
    std::unique_ptr<vector_codes> codes;
    std::vector<float> lengths;
  };
  [[nodiscard]] double by_codes(std::size_t f, std::size_t i,
                                const facet_query& query) const;

  bool whole_ = true;
  std::size_t expected_ = 0;
  std::array<facet, facet_count> facets_;
  std::vector<facet_vectors> vectors_; ///< if whole
  std::vector<float> reach_;           ///< sum of |w_f| |a_f|, rounded up
  std::shared_ptr<const dense_index> first_;
};

} // namespace brewery

#pragma once
/// Agglomerative clustering of embedded topics (papers/000, algorithm 3 lines
/// 4 and 5; the method is not given there). PURE and deterministic.
///
/// Every item starts alone; the two clusters with the highest average cosine
/// similarity over all pairs of their members are merged while it is at least
/// the threshold (average linkage, UPGMA). Ties go to the pair with the lower
/// first members. Vectors need not have unit length; a zero vector is similar
/// to nothing. O(n^2) memory, about O(n^2) time: for thousands of topics.

#include "base/result.hpp"

#include <cstddef>
#include <vector>

namespace brewery {

inline constexpr double default_cluster_threshold = 0.75;

struct cluster {
  std::vector<std::size_t> members; ///< item indices, ascending
  /// The medoid: the member with the highest summed similarity to the others,
  /// ties by lower index. It gives the cluster its name.
  std::size_t representative = 0;
};

/// Clusters in order of their first members; together they hold every index
/// once. No items, no clusters. Error ec::invalid_argument for vectors of
/// different length, empty vectors, numbers that are not finite and a
/// threshold outside [-1, 1]; it names the item.
result<std::vector<cluster>>
cluster_by_similarity(const std::vector<std::vector<double>>& vectors,
                      double threshold = default_cluster_threshold);

} // namespace brewery

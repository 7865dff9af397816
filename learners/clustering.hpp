#pragma once
/// Agglomerative clustering of embedded topics (BREW, arXiv:2511.20297,
/// algorithm 3 lines 4 and 5; the paper does not name a method). Pure and
/// deterministic.
///
/// Every item starts as its own cluster. The two clusters with the highest
/// average cosine similarity over all pairs of members are merged, as long as
/// that average is at least the threshold (average linkage, UPGMA). Ties go to
/// the pair with the lower first members. Vectors need not have unit length. A
/// zero vector has similarity 0 to all others. O(n^2) memory and about O(n^2)
/// time: for thousands of topics.

#include "base/result.hpp"

#include <cstddef>
#include <vector>

namespace brewery {

inline constexpr double default_cluster_threshold = 0.75;

/// Rounding must not part items whose similarity is exactly the threshold.
inline constexpr double threshold_slack = 1e-12;

struct cluster {
  std::vector<std::size_t> members; ///< item indices, ascending
  /// The medoid: the member with the highest summed similarity to the others,
  /// ties by lower index. Names the cluster.
  std::size_t representative = 0;
};

/// Cosine similarity of two vectors of one length; 0 for a zero vector.
double cosine(const std::vector<double>& a, const std::vector<double>& b);

/// How many clusters there may be, and what makes one small.
struct cluster_cap {
  std::size_t clusters = 0;      ///< 0: no limit
  std::vector<double> weights{}; ///< of each item; empty: all 1
};

/// Clusters in order of their first members; each index is in exactly one
/// cluster. As long as there are more than `cap` allows, the one of the least
/// weight joins the most similar other, ties by index. No items give no
/// clusters. Error ec::invalid_argument: vectors of
/// different length, an empty vector, a number that is not finite, or a
/// threshold outside [-1, 1]. The message names the item.
result<std::vector<cluster>>
cluster_by_similarity(const std::vector<std::vector<double>>& vectors,
                      double threshold = default_cluster_threshold,
                      const cluster_cap& cap = {});

} // namespace brewery

#include "learners/clustering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace brewery {

namespace {

using matrix = std::vector<std::vector<double>>;

result<void> check(const matrix& vectors, double threshold) {
  if (!(threshold >= -1 && threshold <= 1))
    return error{ec::invalid_argument,
                 fmt::format("cluster threshold is {}; a cosine similarity is "
                             "in [-1, 1]",
                             threshold)};
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    if (vectors[i].empty() || vectors[i].size() != vectors[0].size())
      return error{ec::invalid_argument,
                   fmt::format("embedding {} has {} numbers, embedding 0 has "
                               "{}; all must have the same length above 0",
                               i, vectors[i].size(), vectors[0].size())};
    for (const double x : vectors[i])
      if (!std::isfinite(x))
        return error{
            ec::invalid_argument,
            fmt::format("embedding {} contains {}, which is no number", i, x)};
  }
  return {};
}

/// Scales to unit length. Divides by the largest element first, so that huge
/// and tiny numbers do not overflow or underflow.
std::vector<double> unit(std::vector<double> vector) {
  double largest = 0;
  for (const double x : vector)
    largest = std::max(largest, std::abs(x));
  if (largest == 0) return vector;
  double square = 0;
  for (double& x : vector) {
    x /= largest;
    square += x * x;
  }
  for (double& x : vector)
    x /= std::sqrt(square);
  return vector;
}

matrix similarities(const matrix& vectors) {
  const std::size_t n = vectors.size();
  matrix units;
  for (const auto& vector : vectors)
    units.push_back(unit(vector));
  matrix out(n, std::vector<double>(n, 0.0));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      double dot = 0;
      for (std::size_t k = 0; k < units[i].size(); ++k)
        dot += units[i][k] * units[j][k];
      out[i][j] = out[j][i] = dot;
    }
  return out;
}

/// Average-linkage merging. Each cluster uses the slot of its first member.
/// `linkage` holds average similarities between live slots. Each slot stores
/// its most similar live slot with a higher number.
class merger {
public:
  merger(matrix linkage, double threshold, const cluster_cap& cap)
      : linkage_(std::move(linkage)), threshold_(threshold), cap_(cap),
        members_(linkage_.size()), nearest_(linkage_.size(), none) {
    for (std::size_t i = 0; i < members_.size(); ++i)
      members_[i] = {i};
    for (std::size_t i = 0; i < members_.size(); ++i)
      find_nearest(i);
  }

  std::vector<std::vector<std::size_t>> run() {
    for (;;) {
      const std::size_t slot = closest();
      if (slot == none) break;
      merge(slot, nearest_[slot]);
    }
    while (cap_.clusters > 0 && live().size() > cap_.clusters) {
      const auto small = smallest();
      const auto near = nearest_to(small);
      merge(std::min(small, near), std::max(small, near));
    }
    std::vector<std::vector<std::size_t>> out;
    for (auto& members : members_)
      if (!members.empty()) out.push_back(std::move(members));
    return out;
  }

private:
  static constexpr auto none = static_cast<std::size_t>(-1);

  void find_nearest(std::size_t slot) {
    nearest_[slot] = none;
    for (std::size_t j = slot + 1; j < members_.size(); ++j)
      if (!members_[j].empty()
          && (nearest_[slot] == none
              || linkage_[slot][j] > linkage_[slot][nearest_[slot]]))
        nearest_[slot] = j;
  }

  /// The first slot of the most similar pair, if that pair may be merged.
  std::size_t closest() const {
    std::size_t found = none;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (members_[i].empty() || nearest_[i] == none) continue;
      const double here = linkage_[i][nearest_[i]];
      if (here >= threshold_
          && (found == none || here > linkage_[found][nearest_[found]]))
        found = i;
    }
    return found;
  }

  std::vector<std::size_t> live() const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < members_.size(); ++i)
      if (!members_[i].empty()) out.push_back(i);
    return out;
  }

  std::size_t smallest() const {
    const auto weight = [this](std::size_t slot) {
      double sum = 0;
      for (const auto member : members_[slot])
        sum += cap_.weights.empty() ? 1 : cap_.weights[member];
      return sum;
    };
    const auto slots = live();
    return *std::min_element(
        slots.begin(), slots.end(),
        [&](std::size_t a, std::size_t b) { return weight(a) < weight(b); });
  }

  std::size_t nearest_to(std::size_t slot) const {
    auto others = live();
    std::erase(others, slot);
    return *std::max_element(others.begin(), others.end(),
                             [&](std::size_t a, std::size_t b) {
                               return linkage_[slot][a] < linkage_[slot][b];
                             });
  }

  void merge(std::size_t into, std::size_t from) {
    const double a = static_cast<double>(members_[into].size());
    const double b = static_cast<double>(members_[from].size());
    for (std::size_t j = 0; j < members_.size(); ++j) {
      if (members_[j].empty() || j == into || j == from) continue;
      // The average over all pairs is the weighted mean of the two averages.
      const double joined =
          (a * linkage_[into][j] + b * linkage_[from][j]) / (a + b);
      linkage_[into][j] = linkage_[j][into] = joined;
    }
    auto& target = members_[into];
    target.insert(target.end(), members_[from].begin(), members_[from].end());
    members_[from].clear();
    // To no third one is an average nearer than the nearer of its parts was.
    for (std::size_t j = 0; j < members_.size(); ++j)
      if (!members_[j].empty()
          && (j == into || nearest_[j] == into || nearest_[j] == from))
        find_nearest(j);
  }

  matrix linkage_;
  double threshold_;
  const cluster_cap& cap_;
  std::vector<std::vector<std::size_t>> members_;
  std::vector<std::size_t> nearest_;
};

std::size_t medoid(const std::vector<std::size_t>& members,
                   const matrix& similarity) {
  std::size_t best = members.front();
  double best_sum = 0;
  for (const std::size_t i : members) {
    double sum = 0;
    for (const std::size_t j : members)
      sum += similarity[i][j]; // the diagonal is 0
    // Equal sums may differ in the last bits; those must not decide.
    if (i == members.front() || sum > best_sum + 1e-12) {
      best = i;
      best_sum = sum;
    }
  }
  return best;
}

} // namespace

double cosine(const std::vector<double>& a, const std::vector<double>& b) {
  double dot = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    dot += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  return aa <= 0 || bb <= 0 ? 0 : dot / std::sqrt(aa * bb);
}

result<std::vector<cluster>>
cluster_by_similarity(const std::vector<std::vector<double>>& vectors,
                      double threshold, const cluster_cap& cap) {
  BREWERY_ASSERT(cap.weights.empty() || cap.weights.size() == vectors.size());
  if (auto ok = check(vectors, threshold); !ok) return ok.error();
  const matrix similarity = similarities(vectors);
  std::vector<cluster> out;
  for (auto& members :
       merger{similarity, threshold - threshold_slack, cap}.run()) {
    std::sort(members.begin(), members.end());
    const std::size_t named = medoid(members, similarity);
    out.push_back({std::move(members), named});
  }
  return out;
}

} // namespace brewery

#include "base/rng.hpp"
#include "learners/clustering.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace brewery;

namespace {

using vectors = std::vector<std::vector<double>>;

std::vector<std::vector<std::size_t>> groups(const vectors& items,
                                             double threshold = 0.75,
                                             const cluster_cap& cap = {}) {
  const auto made = cluster_by_similarity(items, threshold, cap);
  REQUIRE(made);
  std::vector<std::vector<std::size_t>> out;
  for (const auto& one : *made)
    out.push_back(one.members);
  return out;
}

/// A unit vector at an angle in degrees: cosines can be read off.
std::vector<double> at(double degrees) {
  const double radians = degrees * std::acos(-1.0) / 180;
  return {std::cos(radians), std::sin(radians)};
}

double cosine(const std::vector<double>& a, const std::vector<double>& b) {
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  return ab / std::sqrt(aa * bb);
}

double average(const vectors& items, const std::vector<std::size_t>& a,
               const std::vector<std::size_t>& b) {
  double sum = 0;
  for (const auto i : a)
    for (const auto j : b)
      sum += cosine(items[i], items[j]);
  return sum / static_cast<double>(a.size() * b.size());
}

/// The definition, without bookkeeping: try all pairs, merge the best.
std::vector<std::vector<std::size_t>> by_definition(const vectors& items,
                                                    double threshold) {
  std::vector<std::vector<std::size_t>> out;
  for (std::size_t i = 0; i < items.size(); ++i)
    out.push_back({i});
  for (;;) {
    double best = -2;
    std::size_t a = 0, b = 0;
    for (std::size_t i = 0; i < out.size(); ++i)
      for (std::size_t j = i + 1; j < out.size(); ++j)
        if (const double s = average(items, out[i], out[j]); s > best + 1e-13) {
          best = s;
          a = i;
          b = j;
        }
    if (best < threshold) break;
    out[a].insert(out[a].end(), out[b].begin(), out[b].end());
    out.erase(out.begin() + static_cast<std::ptrdiff_t>(b));
  }
  for (auto& members : out)
    std::sort(members.begin(), members.end());
  std::sort(out.begin(), out.end());
  return out;
}

} // namespace

TEST_CASE("no items give no clusters, one item one cluster") {
  CHECK(groups({}).empty());
  CHECK(groups({{1, 2}}) == std::vector<std::vector<std::size_t>>{{0}});
}

TEST_CASE("items at least as similar as the threshold are merged") {
  // cos 30 = 0.87, cos 60 = 0.5 exactly.
  const vectors items{at(0), at(90), at(30), at(200)};
  CHECK(groups(items)
        == std::vector<std::vector<std::size_t>>{{0, 2}, {1}, {3}});
  CHECK(groups({at(0), at(60)}, 0.5).size() == 1);
  CHECK(groups({at(0), at(60)}, 0.51).size() == 2);
}

TEST_CASE("the linkage is the average over all pairs") {
  // 0 and 20 merge first. 60 to them: (cos 60 + cos 40) / 2 = 0.633, though
  // its nearest member has 0.766 and the farthest 0.5.
  const vectors items{at(0), at(20), at(60)};
  CHECK(groups(items, 0.63).size() == 1);
  CHECK(groups(items, 0.64).size() == 2);
}

TEST_CASE("length does not matter, a zero vector is alone") {
  CHECK(groups({{1, 1}, {1e200, 1e200}, {1e-200, 1e-200}}).size() == 1);
  CHECK(groups({{1, 1}, {0, 0}, {0, 0}}).size() == 3);
}

TEST_CASE("the representative is the medoid, ties by index") {
  const auto made = cluster_by_similarity({at(20), at(0), at(10)});
  REQUIRE(made);
  REQUIRE(made->size() == 1);
  CHECK(made->front().representative == 2);
  const auto pair = cluster_by_similarity({at(0), at(10)});
  CHECK(pair->front().representative == 0);
}

TEST_CASE("ties are merged in index order") {
  // Three pairs at 90 degrees of one another: all similarities within equal.
  const vectors items{at(0), at(120), at(240), at(0), at(120), at(240)};
  CHECK(groups(items)
        == std::vector<std::vector<std::size_t>>{{0, 3}, {1, 4}, {2, 5}});
}

TEST_CASE("a merged cluster that is as near as another comes first") {
  // 0 and 3 are one point, 30 degrees from 1 and from 2 alike.
  const vectors items{at(0), at(30), at(-30), at(0)};
  CHECK(groups(items, 0.8)
        == std::vector<std::vector<std::size_t>>{{0, 1, 3}, {2}});
}

TEST_CASE("the threshold of a cosine is in [-1, 1], both ends included") {
  CHECK(groups({at(0), at(180)}, -1).size() == 1);
  CHECK(groups({at(0), at(0)}, 1).size() == 1);
  CHECK_FALSE(cluster_by_similarity({}, -1.5));
}

TEST_CASE("bad embeddings are refused with their number") {
  const auto refused = [](const vectors& items, const char* text) {
    const auto made = cluster_by_similarity(items);
    REQUIRE_FALSE(made);
    CHECK(made.error().code == ec::invalid_argument);
    CHECK(made.error().message.find(text) != std::string::npos);
  };
  refused({{1, 2}, {1, 2, 3}}, "embedding 1 has 3 numbers");
  refused({{}}, "embedding 0 has 0 numbers");
  refused({{1, 2}, {1, std::nan("")}}, "embedding 1 contains nan");
  refused({{1, INFINITY}}, "embedding 0 contains inf");
  CHECK_FALSE(cluster_by_similarity({}, 1.5));
  CHECK_FALSE(cluster_by_similarity({}, std::nan("")));
}

TEST_CASE("above the cap the smallest cluster joins the most similar other") {
  const vectors items{at(0), at(5), at(60), at(110)};
  using grouped = std::vector<std::vector<std::size_t>>;
  CHECK(groups(items) == grouped{{0, 1}, {2}, {3}});
  CHECK(groups(items, 0.75, {3, {}}) == grouped{{0, 1}, {2}, {3}});
  // Of two alike the first; 60 is nearer to 110 than to 0 and 5.
  CHECK(groups(items, 0.75, {2, {}}) == grouped{{0, 1}, {2, 3}});
  // Weights make the pair the smallest.
  CHECK(groups(items, 0.75, {2, {1, 1, 5, 3}}) == grouped{{0, 1, 2}, {3}});
  CHECK(groups(items, 0.75, {1, {}}) == grouped{{0, 1, 2, 3}});
  CHECK(groups({}, 0.75, {1, {}}).empty());
}

TEST_CASE("a cap leaves a partition of at most as many clusters") {
  const auto seed = GENERATE(range(1, 21));
  INFO("seed " << seed);
  rng draw{rng_key(static_cast<std::uint64_t>(seed), "cap")};
  vectors items;
  cluster_cap cap{1 + draw.below(6), {}};
  for (std::size_t i = 0; i < 20; ++i) {
    items.push_back({draw.uniform() - 0.5, draw.uniform() - 0.5});
    cap.weights.push_back(draw.uniform());
  }
  const auto made = groups(items, 0.95, cap);
  CHECK(made.size() <= cap.clusters);
  std::size_t all = 0;
  for (const auto& members : made)
    all += members.size();
  CHECK(all == items.size());
}

TEST_CASE("random items agree with the definition and partition") {
  const auto seed = GENERATE(range(1, 41));
  INFO("seed " << seed);
  rng draw{rng_key(static_cast<std::uint64_t>(seed), "cluster")};
  const std::size_t n = 1 + draw.below(25);
  const double threshold = draw.uniform() * 0.9;
  vectors items;
  for (std::size_t i = 0; i < n; ++i) {
    items.push_back({});
    for (int k = 0; k < 4; ++k)
      items.back().push_back(draw.uniform() - 0.3);
  }
  const auto made = groups(items, threshold);
  CHECK(made == by_definition(items, threshold));
  std::vector<bool> seen(n);
  std::size_t last_first = 0;
  for (const auto& members : made) {
    CHECK(members.front() >= last_first);
    last_first = members.front();
    for (const auto i : members) {
      CHECK_FALSE(seen[i]);
      seen[i] = true;
    }
  }
  CHECK(std::count(seen.begin(), seen.end(), false) == 0);
}

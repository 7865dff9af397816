#include "base/rng.hpp"
#include "tests/kb/embedding.hpp"

#include <numeric>
#include <thread>

using namespace brewery;
using namespace brewery::test;

namespace {

using matrix = std::vector<std::vector<double>>;

/// A few clusters and noise, as sentence models give them.
matrix clustered(rng& draw, std::size_t count, std::size_t dimensions) {
  const auto fill = [&](double scale) {
    std::vector<double> out(dimensions);
    for (auto& x : out)
      x = scale * (draw.uniform() + draw.uniform() - 1);
    return out;
  };
  matrix centres(12), out;
  for (auto& centre : centres)
    centre = fill(1);
  for (std::size_t i = 0; i < count; ++i) {
    out.push_back(fill(0.7));
    const auto& centre = centres[draw.below(centres.size())];
    for (std::size_t d = 0; d < dimensions; ++d)
      out.back()[d] += centre[d];
  }
  return out;
}

double cosine_of(const std::vector<double>& a, const std::vector<double>& b) {
  const auto product = [](const auto& x, const auto& y) {
    return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
  };
  return product(a, b) / std::sqrt(product(a, a) * product(b, b));
}

/// The nearest in floating point.
std::vector<std::size_t> exact(const matrix& vectors,
                               const std::vector<double>& query,
                               std::size_t limit) {
  std::vector<std::pair<double, std::size_t>> all;
  for (std::size_t i = 0; i < vectors.size(); ++i)
    all.emplace_back(-cosine_of(vectors[i], query), i);
  std::ranges::sort(all);
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < std::min(limit, all.size()); ++i)
    out.push_back(all[i].second);
  return out;
}

/// The share of the ten nearest that an index finds.
double recall_of(const retriever& index, const matrix& vectors,
                 const matrix& queries) {
  std::size_t hits = 0;
  for (const auto& query : queries) {
    const auto right = exact(vectors, query, 10);
    for (const auto found : indexes(index.search({"", query}, 10)))
      hits += static_cast<std::size_t>(std::ranges::count(right, found));
  }
  return static_cast<double>(hits) / static_cast<double>(10 * queries.size());
}

} // namespace

TEST_CASE("products of codes are those of whole numbers, of any length") {
  rng draw{rng_key(3, "products")};
  for (const std::size_t length : {0U, 32U, 96U, 384U, 2048U, 4128U, 65536U}) {
    INFO(length);
    std::vector<std::int8_t> a(length), b(length);
    std::vector<std::int16_t> wide(length);
    // The largest products there are, then any.
    for (const bool extreme : {true, false}) {
      std::int64_t narrow_sum = 0, wide_sum = 0;
      for (std::size_t i = 0; i < length; ++i) {
        a[i] = static_cast<std::int8_t>(
            extreme ? 127 : static_cast<int>(draw.below(255)) - 127);
        b[i] = static_cast<std::int8_t>(
            extreme ? -127 : static_cast<int>(draw.below(255)) - 127);
        wide[i] = static_cast<std::int16_t>(
            extreme ? 32258 : static_cast<int>(draw.below(64517)) - 32258);
        narrow_sum += a[i] * b[i];
        wide_sum += wide[i] * b[i];
      }
      CHECK(dot(std::span<const std::int8_t>{a}, b) == narrow_sum);
      CHECK(dot(std::span<const std::int16_t>{wide}, b) == wide_sum);
    }
  }
}

TEST_CASE("a code is near its vector, and its coarse half within its bound") {
  const auto seed = GENERATE(range(1, 21));
  INFO("seed " << seed);
  rng draw{rng_key(static_cast<std::uint64_t>(seed), "codes")};
  const auto dimensions = 8 + draw.below(400);
  const auto vectors = clustered(draw, 40, dimensions);
  vector_codes codes{dimensions};
  for (const auto& vector : vectors)
    REQUIRE(codes.add(vector));
  const auto query = *code_of(vectors[0]);
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const double whole =
        cosine(query, codes.coarse(i), codes.fine(i), codes.step(i));
    CHECK(std::abs(whole - cosine_of(vectors[0], vectors[i])) < 1e-4);
    CHECK(std::abs(whole - coarse_cosine(query, codes.coarse(i), codes.step(i)))
          <= query.length * codes.missing(i));
  }
}

TEST_CASE("a scan finds what a search in floating point finds") {
  const auto seed = GENERATE(range(1, 11));
  INFO("seed " << seed);
  rng draw{rng_key(static_cast<std::uint64_t>(seed), "scan")};
  const auto vectors = clustered(draw, 600, 48);
  const auto queries = clustered(draw, 20, 48);
  const auto index = dense_of(vectors);
  CHECK(recall_of(*index, vectors, queries) >= 0.995); // near ties may swap
}

TEST_CASE("graphs find nearly all that a scan finds") {
  const auto seed = GENERATE(range(1, 4));
  rng draw{rng_key(static_cast<std::uint64_t>(seed), "graphs")};
  const auto vectors = clustered(draw, 2500, 32);
  const auto queries = clustered(draw, 40, 32);
  for (const std::size_t segment : {2500U, 900U}) {
    const auto index = dense_of(vectors, {0, segment, 100});
    const double recall = recall_of(*index, vectors, queries);
    INFO("seed " << seed << ", segments of " << segment << ": recall "
                 << recall);
    CHECK(recall >= 0.98);
    CHECK(index->search({"", queries[0]}, 9999).size()
          <= 100 * ((2500 + segment - 1) / segment));
  }
}

TEST_CASE("an index does not depend on who builds its graphs") {
  rng draw{rng_key(9, "builders")};
  const auto vectors = clustered(draw, 800, 32);
  const dense_options options{0, 300, 100};
  const auto alone = dense_of(vectors, options);
  const auto together = dense_of(vectors, options, [](const auto& parts) {
    std::vector<std::jthread> threads;
    for (const auto& part : parts)
      threads.emplace_back(part);
  });
  for (const auto& query : clustered(draw, 20, 32))
    CHECK(indexes(alone->search({"", query}, 50))
          == indexes(together->search({"", query}, 50)));
}

TEST_CASE("the cosine of one vector is the one that a search says") {
  rng draw{rng_key(10, "one")};
  auto vectors = clustered(draw, 700, 32);
  // Gaps, at the borders of segments too.
  for (const std::size_t gone : {0U, 232U, 233U, 300U, 466U, 699U})
    vectors[gone].clear();
  const auto query = clustered(draw, 1, 32).front();
  const auto coded = *code_of(query);
  for (const auto& options : {dense_options{}, dense_options{0, 300, 700}}) {
    const auto index = dense_of(vectors, options);
    const auto hits = index->search({"", query}, 700);
    CHECK(hits.size() > 100);
    for (const auto& hit : hits)
      CHECK(index->cosine_of(hit.index, coded) == hit.score);
    CHECK(index->cosine_of(233, coded) == 0);
  }
}

TEST_CASE("vectors of two lengths or of no numbers are refused by name") {
  const std::vector<double> three{1, 2, 3}, two{1, 2}, bad{1, NAN, 2},
      large{1e200, 1e200, 1};
  using views = std::vector<std::span<const double>>;
  CHECK(codes_of(views{}));
  CHECK(codes_of(views{{}, three, {}})->size() == 3);
  const auto mixed = codes_of(views{{}, three, two});
  REQUIRE_FALSE(mixed);
  CHECK(mixed.error().code == ec::invalid_argument);
  CHECK(mixed.error().message
        == "retrieval: the vector of document 3 has 2 numbers, those before it "
           "have 3");
  for (const auto& vector : {bad, large})
    CHECK(codes_of(views{vector}).error().message
          == "retrieval: a vector has numbers that are not finite");
}

TEST_CASE("what is at right angles, opposite or nowhere is not found") {
  const auto graph = GENERATE(false, true);
  const auto index =
      dense_of({{0, 0}, {1, 0}, {0, 1}, {-1, 0}, {}, {1, 1}},
               graph ? dense_options{0, 100, 10} : dense_options{});
  CHECK(indexes(index->search({"", std::vector<double>{1, 0}}, 9))
        == std::vector<std::size_t>{1, 5});
  CHECK(index->search({"", std::vector<double>{0, 0}}, 9).empty());
  CHECK(index->search("no vector", 9).empty());
  CHECK(index->search({"", std::vector<double>{1, 0, 0}}, 9).empty());
}

TEST_CASE("an index of nothing but blanks needs no vector") {
  const auto index = dense_of({{}, {}});
  CHECK(index->size() == 2);
  CHECK(index->dimensions() == 0);
  CHECK(index->search({"", std::vector<double>{1}}, 9).empty());
  CHECK(dense_of({{}, {}}, {0, 1, 5})->search("x", 9).empty());
}

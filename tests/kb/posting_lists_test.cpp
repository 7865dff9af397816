#include "base/rng.hpp"
#include "kb/best_hits.hpp"
#include "kb/posting_lists.hpp"

#include <catch2/catch.hpp>

#include <numeric>

using namespace brewery;

namespace {

constexpr std::size_t always = 0, never = 1'000'000; // scan_below

struct collection {
  std::vector<std::vector<std::pair<std::uint32_t, float>>> lists;

  [[nodiscard]] posting_lists built(std::size_t scan_below) const {
    posting_lists out{scan_below};
    std::vector<std::uint32_t> sizes;
    for (const auto& list : lists)
      sizes.push_back(static_cast<std::uint32_t>(list.size()));
    out.open(sizes);
    for (std::uint32_t i = 0; i < lists.size(); ++i)
      for (const auto& [document, score] : lists[i])
        out.add(i, document, score);
    return out;
  }
};

/// Few distinct scores, so that there are ties; rare and frequent lists.
collection drawn(rng& draw, std::uint32_t documents, std::size_t lists,
                 bool ties) {
  collection out;
  for (std::size_t i = 0; i < lists; ++i) {
    auto& list = out.lists.emplace_back();
    const double share = draw.uniform() * draw.uniform();
    const double weight = 0.01 + 8 * (1 - share) * draw.uniform();
    for (std::uint32_t document = 0; document < documents; ++document)
      if (draw.uniform() < share)
        list.emplace_back(
            document,
            static_cast<float>(ties ? static_cast<double>(draw.below(3))
                                    : weight * (0.2 + draw.uniform())));
  }
  return out;
}

std::vector<retrieved> summed(const collection& from,
                              const std::vector<std::uint32_t>& lists,
                              std::size_t limit) {
  std::vector<double> sums;
  for (const auto id : lists)
    for (const auto& [document, score] : from.lists[id]) {
      if (document >= sums.size()) sums.resize(document + 1);
      sums[document] += static_cast<double>(score);
    }
  std::vector<retrieved> out;
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (sums[i] > 0) out.push_back({i, sums[i]});
  std::sort(out.begin(), out.end(), is_better);
  out.resize(std::min(out.size(), limit));
  return out;
}

void check_equal(const std::vector<retrieved>& got,
                 const std::vector<retrieved>& expected) {
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    CHECK(got[i].index == expected[i].index);
    CHECK(got[i].score == expected[i].score); // bit for bit
  }
}

} // namespace

TEST_CASE("skipping finds what summing all finds, ties and bits included") {
  const std::uint64_t seed = 20;
  rng draw{seed};
  for (int round = 0; round < 300; ++round) {
    INFO("seed " << seed << " round " << round);
    const auto documents = static_cast<std::uint32_t>(1 + draw.below(400));
    const auto from =
        drawn(draw, documents, 1 + draw.below(12), round % 3 == 0);
    const auto skipping = from.built(always), scanning = from.built(never);
    std::vector<std::uint32_t> lists;
    for (std::uint32_t id = 0; id < from.lists.size(); ++id)
      if (draw.uniform() < 0.7) lists.push_back(id);
    for (const std::size_t limit : {1u, 3u, 10u, 1000u}) {
      const auto expected = summed(from, lists, limit);
      check_equal(skipping.best(lists, limit), expected);
      check_equal(scanning.best(lists, limit), expected);
    }
  }
}

TEST_CASE("lists without documents, and no lists, find nothing") {
  for (const auto scan_below : {always, never}) {
    posting_lists empty{scan_below};
    CHECK(empty.best({}, 3).empty());
    empty.open(std::vector<std::uint32_t>{0, 1});
    empty.add(1, 7, 0);
    const std::vector<std::uint32_t> both{0, 1};
    CHECK(empty.best(both, 3).empty());
    CHECK(empty.best(both, 0).empty());
  }
}

TEST_CASE("a smaller limit gives the beginning of what a larger one gives") {
  rng draw{3};
  const auto from = drawn(draw, 500, 6, true);
  const auto made = from.built(always);
  std::vector<std::uint32_t> lists(6);
  std::iota(lists.begin(), lists.end(), 0U);
  const auto all = made.best(lists, 1000);
  for (std::size_t limit = 1; limit < all.size(); limit += 7)
    check_equal(
        made.best(lists, limit),
        {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(limit)});
}

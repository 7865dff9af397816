/// What every implementation of the retrieval port promises.

#include "base/rng.hpp"
#include "kb/mrr.hpp"
#include "tests/kb/embedding.hpp"

#include <thread>

using namespace brewery;
using namespace brewery::test;

namespace {

using order = std::vector<std::size_t>;

std::string any_kind() {
  return GENERATE(as<std::string>{}, "bm25", "dense", "graph", "hybrid");
}

/// Few words, so that many documents score alike.
std::vector<std::string> random_texts(rng& draw, std::size_t count) {
  static const std::vector<std::string> vocabulary{"sim", "apn", "fan", "pump"};
  std::vector<std::string> out(count);
  for (auto& text : out)
    for (std::size_t word = 0; word < 3; ++word)
      text += vocabulary[draw.below(vocabulary.size())] + " ";
  return out;
}

bool equal(const std::vector<retrieved>& a, const std::vector<retrieved>& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
    return x.index == y.index && x.score == y.score;
  });
}

} // namespace

TEST_CASE("every retriever finds nothing where there is nothing") {
  const auto kind = any_kind();
  INFO(kind);
  CHECK(ask(*retriever_of(kind, {}), "anything", 3).empty());
  CHECK(retriever_of(kind, {})->size() == 0);
  const auto some = retriever_of(kind, {"a word", "another word"});
  CHECK(some->size() == 2);
  CHECK(ask(*some, "", 3).empty());
  CHECK(ask(*some, "...", 3).empty());
  CHECK(ask(*some, "absent", 3).empty());
  CHECK(ask(*some, "word", 0).empty());
  CHECK(ask(*retriever_of(kind, {"", "..."}), "word", 3).empty());
}

TEST_CASE("every retriever ranks the nearest first and blanks never") {
  const auto kind = any_kind();
  INFO(kind);
  const auto index =
      retriever_of(kind, {"", "pump valve stuck", "fan", "fan off light", ""});
  CHECK(indexes(ask(*index, "fan", 9)) == order{2, 3});
  CHECK(indexes(ask(*index, "stuck valve", 9)) == order{1});
}

TEST_CASE("every retriever ranks equal documents by index") {
  const auto kind = any_kind();
  INFO(kind);
  const auto index =
      retriever_of(kind, {"other", "same text", "same text", "same text"});
  CHECK(indexes(ask(*index, "text", 9)) == order{1, 2, 3});
  CHECK(indexes(ask(*index, "text", 2)) == order{1, 2});
}

TEST_CASE("of every retriever a limit gives the beginning of the ranking") {
  const auto kind = any_kind();
  const auto seed = GENERATE(range(1, 16));
  INFO(kind << ", seed " << seed);
  rng draw{rng_key(static_cast<std::uint64_t>(seed), "limits")};
  const auto texts = random_texts(draw, 20);
  const auto index = retriever_of(kind, texts);
  const auto all = ask(*index, "sim fan", texts.size());
  REQUIRE(!all.empty());
  for (std::size_t i = 1; i < all.size(); ++i)
    CHECK((all[i - 1].score > all[i].score
           || (all[i - 1].score == all[i].score
               && all[i - 1].index < all[i].index)));
  CHECK(all.back().score > 0);
  for (std::size_t limit = 1; limit < all.size(); ++limit)
    CHECK(
        equal(ask(*index, "sim fan", limit),
              {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(limit)}));
}

TEST_CASE("every retriever gives each thread the same") {
  const auto kind = any_kind();
  INFO(kind);
  rng draw{rng_key(5, "threads")};
  const auto texts = random_texts(draw, 60);
  const auto index = retriever_of(kind, texts),
             again = retriever_of(kind, texts);
  const std::vector<std::string> queries{"sim", "apn fan", "pump sim", "fan"};
  std::vector<std::vector<retrieved>> alone;
  for (const auto& query : queries)
    alone.push_back(ask(*again, query, 10));
  std::vector<int> wrong(4);
  {
    std::vector<std::jthread> threads;
    for (auto& mine : wrong)
      threads.emplace_back([&] {
        for (int round = 0; round < 50; ++round)
          for (std::size_t q = 0; q < queries.size(); ++q)
            if (!equal(ask(*index, queries[q], 10), alone[q])) ++mine;
      });
  }
  CHECK(wrong == std::vector<int>(4));
}

TEST_CASE("ranks are scored by fusion as a table has it") {
  /// Gives a fixed ranking.
  class fixed final : public retriever {
  public:
    explicit fixed(order ranking) : ranking_(std::move(ranking)) {}
    std::vector<retrieved> search(const retrieval_query&,
                                  std::size_t limit) const override {
      std::vector<retrieved> out;
      for (const auto index : ranking_)
        if (out.size() < limit)
          out.push_back({index, 1.0 - 0.01 * static_cast<double>(out.size())});
      return out;
    }
    std::size_t size() const override { return 6; }

  private:
    order ranking_;
  };
  struct row {
    order words, vectors;
    fusion_options options;
    order expected;
  };
  const std::vector<row> table{
      {{0, 1, 2}, {}, {}, {0, 1, 2}},
      {{}, {3, 4}, {}, {3, 4}},
      {{0, 1}, {1, 0}, {}, {0, 1}}, // equal sums: the lower index
      {{0, 1, 2}, {2, 3}, {}, {2, 0, 1, 3}},
      {{0, 1, 2}, {3, 4, 5}, {}, {0, 3, 1, 4, 2, 5}},
      {{0, 1, 2}, {3, 4, 5}, {60, 1, 2}, {3, 4, 5, 0, 1, 2}},
      // With k = 0 a first place is worth more than two second ones.
      {{0, 1}, {2, 1}, {1, 1, 1}, {1, 0, 2}},
      {{0, 1}, {2, 3, 1}, {0, 1, 1}, {0, 2, 1, 3}},
      {{0, 1}, {2, 1}, {60, 0, 1}, {2, 1}},
      {{0, 1}, {2, 1}, {60, 1, 0}, {0, 1}},
  };
  for (std::size_t i = 0; i < table.size(); ++i) {
    INFO("row " << i);
    const auto& [words, vectors, options, expected] = table[i];
    const fused_retriever fused{std::make_shared<fixed>(words),
                                std::make_shared<fixed>(vectors), options};
    CHECK(indexes(fused.search("any", 9)) == expected);
  }
  const fused_retriever fused{std::make_shared<fixed>(order{0, 1}),
                              std::make_shared<fixed>(order{1}),
                              {}};
  const auto scores = fused.search("any", 2);
  CHECK(scores[0].score == 1.0 / 62 + 1.0 / 61);
  CHECK(scores[1].score == 1.0 / 61);
}

TEST_CASE("weights of a fusion are numbers, and not both 0") {
  CHECK(validate(fusion_options{}));
  CHECK(validate(fusion_options{0, 0, 1}));
  CHECK_FALSE(validate(fusion_options{60, 0, 0}));
  CHECK_FALSE(validate(fusion_options{60, -1, 1}));
  CHECK_FALSE(validate(fusion_options{60, 1, std::nan("")}));
  CHECK(validate(fusion_options{60, 1, -2}).error().message
        == "retrieval.dense_weight is -2; it must be a number of at least 0");
  CHECK(fingerprint(fusion_options{}) == "fusion=60/1/1");
}

TEST_CASE("the reciprocal rank in a ranking is that of the retriever") {
  const std::vector<concept_id> ranking{{7}, {3}, {5}};
  CHECK(reciprocal_rank(ranking, {7}) == 1);
  CHECK(reciprocal_rank(ranking, {5}) == 1.0 / 3);
  CHECK(reciprocal_rank(ranking, {4}) == 0);
  CHECK(reciprocal_rank(std::vector<concept_id>{}, {4}) == 0);
}

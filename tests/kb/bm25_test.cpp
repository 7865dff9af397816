#include "base/rng.hpp"
#include "kb/bm25.hpp"
#include "kb/mrr.hpp"
#include "kb/tokenizer.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <map>

using namespace brewery;

namespace {

std::vector<std::size_t> ranking(const retriever& index, std::string_view query,
                                 std::size_t limit = 10) {
  std::vector<std::size_t> out;
  for (const auto& item : index.search(query, limit))
    out.push_back(item.index);
  return out;
}

/// The formula of the header, written down directly.
double expected_score(const std::vector<std::string>& texts,
                      std::string_view query, std::size_t doc,
                      bm25_options options) {
  std::vector<std::map<std::string, double>> tf(texts.size());
  std::vector<double> length(texts.size());
  double total = 0;
  for (std::size_t i = 0; i < texts.size(); ++i)
    for (const auto& term : tokenize(texts[i])) {
      tf[i][term] += 1;
      length[i] += 1;
      total += 1;
    }
  std::map<std::string, bool> distinct;
  for (const auto& term : tokenize(query))
    distinct[term] = true;
  const double n = static_cast<double>(texts.size());
  double score = 0;
  for (const auto& [term, unused] : distinct) {
    double df = 0;
    for (const auto& counts : tf)
      df += counts.count(term) > 0 ? 1 : 0;
    const double f = tf[doc].count(term) > 0 ? tf[doc].at(term) : 0;
    if (f == 0) continue;
    const double idf = std::log(1 + (n - df + 0.5) / (df + 0.5));
    score +=
        idf * f * (options.k1 + 1)
        / (f
           + options.k1
                 * (1 - options.b + options.b * length[doc] / (total / n)));
  }
  return score;
}

} // namespace

TEST_CASE("an empty index or query finds nothing") {
  const bm25_index none{{}};
  CHECK(none.size() == 0);
  CHECK(none.search("anything", 3).empty());
  const bm25_index some{{"a word", "another word"}};
  CHECK(some.search("", 3).empty());
  CHECK(some.search("absent", 3).empty());
  CHECK(some.search("word", 0).empty());
  const bm25_index blank{{"", "..."}};
  CHECK(blank.search("word", 3).empty());
}

TEST_CASE("the document with the rarer term comes first") {
  const bm25_index index{{"network status and signal", "network apn settings",
                          "network roaming settings"}};
  CHECK(ranking(index, "apn network") == std::vector<std::size_t>{1, 2, 0});
  CHECK(ranking(index, "roaming") == std::vector<std::size_t>{2});
}

TEST_CASE("words find identifiers, and the identifier finds itself first") {
  const bm25_index index{{"status of the network: check it",
                          "call check_network_status() first",
                          "call toggle_roaming()"}};
  CHECK(ranking(index, "check_network_status").front() == 1);
  CHECK(ranking(index, "toggled roaming").front() == 2);
}

TEST_CASE("limit keeps the best") {
  const bm25_index index{{"sim", "sim sim", "sim sim sim", "other"}};
  const auto all = ranking(index, "sim", 10);
  REQUIRE(all.size() == 3);
  CHECK(ranking(index, "sim", 2) == std::vector<std::size_t>{all[0], all[1]});
}

TEST_CASE("equal documents rank by index") {
  const bm25_index index{{"x", "same text", "same text", "same text"}};
  CHECK(ranking(index, "text") == std::vector<std::size_t>{1, 2, 3});
  CHECK(ranking(index, "text", 2) == std::vector<std::size_t>{1, 2});
}

TEST_CASE("a query leaves nothing behind for the next") {
  const bm25_index index{{"apn", "sim"}};
  CHECK(ranking(index, "new_apn") == std::vector<std::size_t>{0});
  CHECK(ranking(index, "new_sim") == std::vector<std::size_t>{1});
  CHECK(ranking(index, "unheard_of").empty());
}

TEST_CASE("a limit cuts the full ranking, ties included") {
  const auto seed = GENERATE(range(1, 31));
  INFO("seed " << seed);
  rng draw{rng_key(static_cast<std::uint64_t>(seed), "limit")};
  // Few words, so that many documents score alike.
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < 20; ++i) {
    texts.emplace_back();
    for (std::size_t word = 0; word < 3; ++word)
      texts.back() += draw.below(2) == 0 ? "sim " : "apn ";
  }
  const bm25_index index{{texts.begin(), texts.end()}};
  const auto all = index.search("sim", texts.size());
  for (std::size_t limit = 1; limit < all.size(); ++limit) {
    const auto some = index.search("sim", limit);
    REQUIRE(some.size() == limit);
    for (std::size_t i = 0; i < limit; ++i) {
      CHECK(some[i].index == all[i].index);
      CHECK(some[i].score == all[i].score);
    }
  }
}

TEST_CASE("a term of every document still scores above nothing") {
  const bm25_index index{{"network", "network"}};
  CHECK(index.search("network", 5).size() == 2);
}

TEST_CASE("scores follow the formula on random texts") {
  const auto seed = GENERATE(range(1, 31));
  INFO("seed " << seed);
  rng draw{rng_key(static_cast<std::uint64_t>(seed), "bm25")};
  static const std::vector<std::string> vocabulary{
      "network", "Network", "check_status", "status",   "roaming",
      "sim",     "apn",     "toggle_data",  "dataMode", "4g",
      "2.0",     "📶",       "off"};
  const auto sentence = [&](std::size_t words) {
    std::string out;
    for (std::size_t i = 0; i < words; ++i)
      out += vocabulary[draw.below(vocabulary.size())] + " ";
    return out;
  };
  std::vector<std::string> texts;
  for (std::size_t i = 0, n = 1 + draw.below(12); i < n; ++i)
    texts.push_back(sentence(1 + draw.below(30)));
  const bm25_options options{draw.uniform() * 2, draw.uniform()};
  const bm25_index index{{texts.begin(), texts.end()}, options};
  const std::string query = sentence(1 + draw.below(6)) + "unknownWord";
  const auto found = index.search(query, texts.size());
  std::vector<bool> seen(texts.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    seen[found[i].index] = true;
    CHECK(found[i].score
          == Approx(expected_score(texts, query, found[i].index, options))
                 .epsilon(1e-5));
    if (i > 0) {
      const bool ordered = found[i - 1].score > found[i].score
                           || (found[i - 1].score == found[i].score
                               && found[i - 1].index < found[i].index);
      CHECK(ordered);
    }
  }
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (!seen[i]) CHECK(expected_score(texts, query, i, options) == 0);
}

TEST_CASE("the order of query words and repeats change no bit") {
  const bm25_index index{{"alpha beta gamma", "beta delta", "gamma alpha"}};
  const auto once = index.search("gamma beta alpha", 3);
  const auto again = index.search("alpha alpha beta gamma beta", 3);
  REQUIRE(once.size() == again.size());
  for (std::size_t i = 0; i < once.size(); ++i) {
    CHECK(once[i].index == again[i].index);
    CHECK(once[i].score == again[i].score);
  }
}

TEST_CASE("options outside their range are refused by name") {
  CHECK(validate(bm25_options{}));
  CHECK(validate(bm25_options{0, 0}));
  CHECK(validate(bm25_options{0, 1}));
  CHECK_FALSE(validate(bm25_options{INFINITY, 0.5}));
  CHECK_FALSE(validate(bm25_options{1.2, -0.1}));
  CHECK_FALSE(validate(bm25_options{-1, 0.5}));
  CHECK_FALSE(validate(bm25_options{1.2, 1.5}));
  CHECK_FALSE(validate(bm25_options{std::nan(""), 0.5}));
  CHECK(validate(bm25_options{1.2, 2}).error().message.find("retrieval.b is 2")
        != std::string::npos);
}

TEST_CASE("the reciprocal rank is 1 over the place, 0 when not found") {
  const bm25_index index{{"sim card", "sim sim sim", "other"}};
  CHECK(reciprocal_rank(index, "card sim", 0) == 1.0);
  CHECK(reciprocal_rank(index, "card sim", 1) == 0.5);
  CHECK(reciprocal_rank(index, "card sim", 2) == 0.0);
  CHECK(reciprocal_rank(index, "card sim", 1, 1) == 0.0);
}

TEST_CASE("the scores of all are those of a search") {
  const bm25_index index{{"sim card", "", "sim sim sim", "other"}};
  std::vector<double> scores;
  index.all_scores("a sim card", scores);
  REQUIRE(scores.size() == index.size());
  const auto found = index.search({"a sim card"}, 4);
  CHECK(found.size() == 2);
  for (const auto& hit : found)
    CHECK(scores[hit.index] == hit.score);
  CHECK(scores[1] + scores[3] == 0);
}

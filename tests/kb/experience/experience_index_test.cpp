/// The index against a search that scores every entry with the formulas alone.

#include "base/rng.hpp"
#include "kb/experience/experience_index.hpp"
#include "kb/experience/utility.hpp"
#include "kb/tokenizer.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

using namespace brewery;

namespace {

constexpr std::size_t dimensions = 16;

std::vector<double> drawn_vector(rng& draw) {
  std::vector<double> out;
  double sum = 0;
  for (std::size_t i = 0; i < dimensions; ++i) {
    out.push_back(2 * draw.uniform() - 1);
    sum += out.back() * out.back();
  }
  for (auto& one : out)
    one /= std::sqrt(sum);
  return out;
}

std::string drawn_text(rng& draw) {
  std::string out;
  const auto lines = 1 + draw.below(3);
  for (std::uint64_t l = 0; l < lines; ++l) {
    for (std::uint64_t w = 0; w < 1 + draw.below(4); ++w)
      out += "word" + std::to_string(draw.below(300)) + ' ';
    out += '\n';
  }
  return out;
}

std::vector<indexed_experience> drawn_entries(std::size_t count) {
  rng draw{7};
  std::vector<indexed_experience> out;
  for (std::size_t i = 0; i < count; ++i) {
    indexed_experience one;
    one.id = std::to_string(draw.next()) + "-" + std::to_string(i);
    one.text = drawn_text(draw);
    for (auto& facet : one.facets)
      facet = drawn_vector(draw);
    one.domain = draw.below(2) == 0 ? "toy" : "desk";
    one.tools = {"look", "tool" + std::to_string(draw.below(4))};
    one.quality = draw.uniform();
    // Twins, so that scores tie.
    if (i % 10 == 9) {
      const auto id = one.id;
      one = out.back();
      one.id = id;
    }
    out.push_back(std::move(one));
  }
  return out;
}

experience_query drawn_query(rng& draw) {
  experience_query out{drawn_text(draw), {}, "toy", {"look"}};
  for (auto& facet : out.facets)
    facet = drawn_vector(draw);
  return out;
}

/// BM25 as kb/bm25.hpp states it.
class oracle {
public:
  oracle(const std::vector<indexed_experience>& entries,
         experience_index_options options)
      : entries_(entries), options_(options) {
    for (const auto& entry : entries) {
      auto& counts = counts_.emplace_back();
      for (auto& term : tokenize(with_line_words(entry.text)))
        ++counts[std::move(term)];
      for (const auto& [term, count] : counts) {
        ++documents_[term];
        lengths_.resize(counts_.size());
        lengths_.back() += count;
      }
      mean_ += lengths_.back() / static_cast<double>(entries.size());
    }
  }

  /// By score, then id.
  [[nodiscard]] std::vector<std::pair<double, std::string>>
  ranked(const experience_query& query) const {
    const auto words = lexical(query.text);
    const double best = *std::ranges::max_element(words);
    std::vector<std::pair<double, std::string>> out;
    for (std::size_t i = 0; i < entries_.size(); ++i)
      out.emplace_back(-hybrid(options_.alpha, best > 0 ? words[i] / best : 0,
                               semantic(entries_[i], query)),
                       entries_[i].id);
    std::ranges::sort(out);
    return out;
  }

private:
  [[nodiscard]] std::vector<double> lexical(const std::string& text) const {
    const auto terms = tokenize(with_line_words(text));
    std::vector<double> out(entries_.size());
    const auto all = static_cast<double>(entries_.size());
    for (const auto& term : std::set<std::string>(terms.begin(), terms.end())) {
      const auto known = documents_.find(term);
      if (known == documents_.end()) continue;
      const double idf =
          std::log(1 + (all - known->second + 0.5) / (known->second + 0.5));
      for (std::size_t i = 0; i < out.size(); ++i) {
        const auto found = counts_[i].find(term);
        if (found == counts_[i].end()) continue;
        const double tf = found->second;
        out[i] +=
            idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * lengths_[i] / mean_));
      }
    }
    return out;
  }
  [[nodiscard]] double semantic(const indexed_experience& entry,
                                const experience_query& query) const {
    double sum = 0;
    for (std::size_t f = 0; f < facet_count; ++f)
      for (std::size_t i = 0; i < dimensions; ++i)
        sum += options_.weights[f] * entry.facets[f][i] * query.facets[f][i];
    const double far = entry.domain == query.domain
                           ? 0
                           : domain_distance(entry.tools, query.tools);
    return std::max(0.0, sum) * domain_factor(far, options_.domain_scale)
           * entry.quality;
  }

  const std::vector<indexed_experience>& entries_;
  experience_index_options options_;
  std::vector<std::map<std::string, double>> counts_;
  std::map<std::string, double> documents_;
  std::vector<double> lengths_;
  double mean_ = 0;
};

/// Equal but for the last digits of sums: who is nearer than that may change
/// places.
void check_same(const experience_index& index,
                const std::vector<experience_hit>& hits,
                const std::vector<std::pair<double, std::string>>& wanted) {
  constexpr double digits = 1e-5;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    CHECK(hits[i].score == Approx(-wanted[i].first).margin(digits));
    const auto& id = index.entry(hits[i].entry).id;
    const bool as_near = std::ranges::any_of(wanted, [&](const auto& one) {
      return one.second == id && std::abs(one.first - wanted[i].first) < digits;
    });
    CHECK(as_near);
    if (i > 0 && hits[i].score == hits[i - 1].score)
      CHECK(hits[i - 1].entry < hits[i].entry); // ties by id
  }
}

} // namespace

TEST_CASE("the index finds what scoring every experience finds") {
  // BREWERY_FULL_SIZES: 1,000 queries at 10,000 entries, which take 40 s.
  const bool full = std::getenv("BREWERY_FULL_SIZES") != nullptr;
  const auto entries = drawn_entries(full ? 10'000 : 2'000);
  experience_index_options options;
  const auto index = experience_index::make(entries, options);
  REQUIRE(index);
  const oracle all{entries, options};
  rng draw{11};
  for (int i = 0; i < (full ? 1000 : 100); ++i) {
    const auto query = drawn_query(draw);
    const auto hits = index->search(query, 10);
    REQUIRE(hits.size() == 10);
    check_same(*index, hits, all.ranked(query));
  }
}

TEST_CASE("at the ends of alpha one modality decides alone") {
  const auto entries = drawn_entries(500);
  rng draw{12};
  const auto query = drawn_query(draw);
  for (const double alpha : {0.0, 1.0}) {
    experience_index_options options;
    options.alpha = alpha;
    const auto index = experience_index::make(entries, options);
    REQUIRE(index);
    for (const auto& hit : index->search(query, 20))
      CHECK(hit.score == (alpha == 1 ? hit.lexical : hit.semantic));
    check_same(*index, index->search(query, 20),
               oracle{entries, options}.ranked(query));
  }
}

TEST_CASE("the order of insertion changes nothing") {
  auto entries = drawn_entries(200);
  rng draw{13};
  const auto query = drawn_query(draw);
  const auto first = experience_index::make(entries, {});
  REQUIRE(first);
  const auto hits = first->search(query, 50);
  for (int i = 0; i < 5; ++i) {
    draw.shuffle(entries);
    const auto again = experience_index::make(entries, {});
    REQUIRE(again);
    CHECK(again->search(query, 50) == hits);
  }
}

TEST_CASE("above exact_below the shortlists find nearly all of the best") {
  const auto entries = drawn_entries(5000);
  experience_index_options options;
  const auto exact = experience_index::make(entries, options);
  options.exact_below = 1000;
  const auto shortlists = experience_index::make(entries, options);
  REQUIRE(exact);
  REQUIRE(shortlists);
  rng draw{14};
  std::size_t same = 0;
  for (int i = 0; i < 100; ++i) {
    const auto query = drawn_query(draw);
    const auto all = exact->search(query, 10);
    for (const auto& hit : shortlists->search(query, 10)) {
      const auto found =
          std::ranges::find(all, hit.entry, &experience_hit::entry);
      if (found == all.end()) continue;
      ++same;
      CHECK(hit.semantic == Approx(found->semantic).margin(1e-3)); // codes
    }
  }
  CHECK(same >= 900); // of 1000; facets here are random, so harder than texts
}

TEST_CASE("entries that come one by one have ascending ids") {
  const auto entries = drawn_entries(2);
  const auto later = entries[0].id < entries[1].id ? 1 : 0;
  experience_index_builder builder{{}, 2};
  REQUIRE(builder.add(entries[later]));
  const auto refused = builder.add(entries[1 - later]);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message
        == "experience " + entries[1 - later].id + " is given behind "
               + entries[later].id);
  auto other = entries[later];
  other.id += "x";
  other.facets[1].pop_back();
  CHECK(builder.add(other).error().message
        == "experience " + other.id
               + ": facet 1 has 15 numbers, of another one 16");
}

TEST_CASE("an id that is given twice is refused") {
  auto entries = drawn_entries(2);
  entries[1].id = entries[0].id;
  const auto made = experience_index::make(entries, {});
  REQUIRE_FALSE(made);
  CHECK(made.error().code == ec::invalid_argument);
  CHECK(experience_index{}.search({"word1", {}, {}, {}}, 3).empty());
}

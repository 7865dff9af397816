#pragma once
/// Hybrid retrieval of experiences (Agent KB, section 3 and appendix B.1):
///
///   score    = alpha * lexical + (1 - alpha) * semantic
///   lexical  = BM25 of the query's words in the text, divided by the best of
///              this query; a whole line of the text is one more word of it
///   semantic = max(0, sum over facets of w_f cos_f) * e^(-d / scale) * quality
///
/// d: 0 in the query's domain, else the distance of its tools and the entry's
/// (utility.hpp). Entries are ordered by id, whatever the order in which they
/// come; ties go to the lower id. Up to `exact_below` entries the result is
/// that of scoring all; above, the union of the best `shortlist` by words and
/// by the first facet is scored, what is in only one of them counts 0 for
/// words, and vectors are kept as codes of 16 bits. Texts are not kept.
/// Immutable; thread-safe. PURE.

#include "kb/bm25.hpp"
#include "kb/dense/dense_index.hpp"
#include "kb/experience/facet_store.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace brewery {

struct experience_index_options {
  double alpha = 0.5; ///< share of words, in [0, 1]
  std::array<double, facet_count> weights{0.5, 0.3, 0.2};
  double domain_scale = 1; ///< above 0
  std::size_t exact_below = 20'000;
  std::size_t shortlist = 512;
  bm25_options bm25{};
};

struct indexed_experience {
  std::string id;         ///< its content hash; distinct
  std::string text;       ///< for words
  facet_vectors facets{}; ///< unit vectors; empty: near nothing
  std::string domain;
  std::vector<std::string> tools; ///< sorted
  double quality = 1;             ///< in [0, 1]
};

struct experience_query {
  std::string text;
  facet_vectors facets{};
  std::string domain;
  std::vector<std::string> tools; ///< sorted; empty: not known, no distance
};

struct experience_hit {
  std::size_t entry = 0; ///< place in the order of ids
  double score = 0;
  double lexical = 0;
  double semantic = 0;
  bool operator==(const experience_hit&) const = default;
};

class experience_index {
public:
  /// What is kept of an entry.
  struct row {
    std::string id;
    double quality = 0;
    std::uint32_t place = 0; ///< where it is from: domain and tools
  };

  experience_index() = default;
  /// Error ec::invalid_argument: an id twice, or vectors of a facet of
  /// different lengths.
  static result<experience_index> make(std::vector<indexed_experience> entries,
                                       const experience_index_options& options);

  /// The best `k` with a score above 0, best first.
  [[nodiscard]] std::vector<experience_hit>
  search(const experience_query& query, std::size_t k) const;

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] const row& entry(std::size_t i) const { return rows_[i]; }

private:
  friend class experience_index_builder;
  class ranking;
  using place = std::pair<std::string, std::vector<std::string>>;

  void search_all(const experience_query& query, ranking& found) const;
  void search_shortlists(const experience_query& query, ranking& found) const;

  experience_index_options options_;
  std::vector<row> rows_; ///< by id
  std::vector<place> places_;
  facet_store facets_;
  std::shared_ptr<const bm25_index> words_;
  std::shared_ptr<const dense_index> problems_; ///< null: all are scored
};

/// Builds an index of entries that come one by one, so that no more than one of
/// them is in memory as a whole. Owned by who builds.
class experience_index_builder {
public:
  /// `count`: of the entries that will come.
  experience_index_builder(const experience_index_options& options,
                           std::size_t count);
  /// Ids ascend. Errors ec::invalid_argument as of `make`, and: an id that is
  /// not behind the one before it.
  result<void> add(indexed_experience entry);
  /// The end of it: nothing can be added.
  experience_index finish();

private:
  experience_index made_;
  bm25_builder words_;
  std::map<experience_index::place, std::uint32_t> places_;
};

/// The text with each of its lines as one more word, so that a line that is the
/// same counts for more than the words in it.
std::string with_line_words(std::string_view text);

} // namespace brewery

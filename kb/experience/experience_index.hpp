#pragma once
/// Hybrid retrieval of experiences (Agent KB, section 3 and appendix B.1):
///
///   score    = alpha * lexical + (1 - alpha) * semantic
///   lexical  = BM25 of the query's words in the text, divided by the best of
///              this query; a whole line of the text is one more word of it
///   semantic = max(0, sum over facets of w_f cos_f) * e^(-d / scale) * quality
///
/// d: 0 in the query's domain, else the distance of its tools and the entry's
/// (utility.hpp). Entries are
/// ordered by id, whatever the order in which they come; ties go to the lower
/// id. Up to `exact_below` entries all are scored; above, the union of the best
/// `shortlist` by words and by the first facet is, and what is in only one of
/// them counts 0 in the other. Immutable; thread-safe. PURE.

#include "kb/bm25.hpp"
#include "kb/dense/dense_index.hpp"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace brewery {

/// The facets that are compared as vectors: problem, goal, characteristics.
inline constexpr std::size_t facet_count = 3;
using facet_vectors = std::array<std::vector<double>, facet_count>;

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
  experience_index() = default;
  /// Error ec::invalid_argument: an id twice, or vectors of a facet of
  /// different lengths.
  static result<experience_index> make(std::vector<indexed_experience> entries,
                                       const experience_index_options& options);

  /// The best `k` with a score above 0, best first.
  [[nodiscard]] std::vector<experience_hit>
  search(const experience_query& query, std::size_t k) const;

  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] const indexed_experience& entry(std::size_t i) const {
    return entries_[i];
  }

private:
  [[nodiscard]] double semantic(const indexed_experience& entry,
                                const experience_query& query) const;

  [[nodiscard]] double
  semantic_most(std::size_t entry,
                const std::array<double, facet_count>& lengths) const;

  experience_index_options options_;
  std::vector<indexed_experience> entries_; ///< by id
  /// Of the vectors of each entry's facets.
  std::vector<std::array<double, facet_count>> lengths_;
  std::shared_ptr<const bm25_index> words_;
  std::shared_ptr<const dense_index> problems_; ///< null: all are scored
};

/// The text with each of its lines as one more word, so that a line that is the
/// same counts for more than the words in it.
std::string with_line_words(std::string_view text);

} // namespace brewery

#pragma once
/// BM25 over the documents of one knowledge base: an immutable `retriever`.
///
///   score(q, d) = sum over distinct terms t of q of
///       idf(t) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * |d| / avgdl))
///   idf(t)      = ln(1 + (N - df + 0.5) / (df + 0.5))
///
/// tf: how often t is in d. |d|: number of terms of d. avgdl: mean of |d|. N:
/// number of documents. df: number of documents with t. This idf (Lucene's) is
/// always positive, so a term that every document has still adds a little. No
/// cut-off for negative scores is needed. A repeated term counts once per
/// query, because queries (tickets and tool reports) repeat themselves. Scores
/// are summed in term order, so the word order of a query changes no bit. Ties
/// go to the lower index.
///
/// Source: Robertson, Zaragoza: The probabilistic relevance framework, 2009.
/// Built once per knowledge base. Thread-safe. For its speed see
/// bench/retrieval_bench.

#include "kb/bm25_options.hpp"
#include "kb/knowledge_base.hpp"
#include "kb/posting_lists.hpp"
#include "kb/retriever.hpp"
#include "kb/string_table.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace brewery {

class bm25_builder;

class bm25_index final : public retriever {
public:
  explicit bm25_index(const std::vector<std::string_view>& texts,
                      bm25_options options = {});

  std::vector<retrieved> search(const retrieval_query& query,
                                std::size_t limit) const override;

  /// What every document scores, by index; without a word of the query 0.
  void all_scores(std::string_view query, std::vector<double>& scores) const;

  std::size_t size() const override { return lengths_.size(); }

  std::size_t terms() const { return terms_.size(); } ///< distinct terms

private:
  friend class bm25_builder;
  using term_id = string_table::number;
  struct for_builder {
    explicit for_builder(const bm25_builder& /*who fills it*/) {}
  };
  explicit bm25_index(const for_builder& /*tag*/) {}

  [[nodiscard]] std::span<const term_id>
  terms_of_word(string_table::number word) const;
  void add_word(std::string_view word, std::vector<term_id>& terms) const;
  std::vector<term_id> terms_of(std::string_view query) const;

  string_table terms_;
  /// Words as the documents write them, and where the terms of each end in
  /// `word_terms_`. A query word that is in a document needs no stemming.
  string_table words_;
  std::vector<std::uint32_t> word_ends_;
  std::vector<term_id> word_terms_;
  posting_lists postings_; ///< of each term its whole part of the scores
  std::vector<std::uint32_t> lengths_; ///< per document, in terms
};

/// Builds an index of texts that come one by one and are not kept. Owned by who
/// builds.
class bm25_builder {
public:
  explicit bm25_builder(bm25_options options = {});
  ~bm25_builder();
  bm25_builder(const bm25_builder&) = delete;
  bm25_builder& operator=(const bm25_builder&) = delete;

  void add(std::string_view text);
  /// The end of it: nothing can be added.
  bm25_index finish();

private:
  struct counts;
  std::unique_ptr<counts> built_;
};

/// A retriever whose index i is entry i of the knowledge base.
std::shared_ptr<const retriever> make_bm25(const knowledge_base& kb,
                                           bm25_options options = {});

} // namespace brewery

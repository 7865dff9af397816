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

#include <cstdint>
#include <unordered_map>

namespace brewery {

class bm25_index final : public retriever {
public:
  explicit bm25_index(const std::vector<std::string_view>& texts,
                      bm25_options options = {});

  std::vector<retrieved> search(const retrieval_query& query,
                                std::size_t limit) const override;

  std::size_t size() const override { return lengths_.size(); }

  std::size_t terms() const { return terms_.size(); } ///< distinct terms

private:
  using term_id = std::uint32_t;
  struct text_hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  template <class Value>
  using text_map =
      std::unordered_map<std::string, Value, text_hash, std::equal_to<>>;

  struct builder;
  void finish(builder& built, bm25_options options);
  void add_word(std::string_view word, std::vector<term_id>& terms) const;
  std::vector<term_id> terms_of(std::string_view query) const;

  text_map<term_id> terms_;
  /// Maps words as the documents write them to their terms. A query word that
  /// is in a document needs no stemming.
  text_map<std::vector<term_id>> words_;
  posting_lists postings_; ///< of each term its whole part of the scores
  std::vector<std::uint32_t> lengths_; ///< per document, in terms
};

/// A retriever whose index i is entry i of the knowledge base.
std::shared_ptr<const retriever> make_bm25(const knowledge_base& kb,
                                           bm25_options options = {});

} // namespace brewery

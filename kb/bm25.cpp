#include "kb/bm25.hpp"

#include "kb/term_counts.hpp"
#include "kb/tokenizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace brewery {

result<void> validate(const bm25_options& options) {
  if (!(options.k1 >= 0) || !std::isfinite(options.k1))
    return error{ec::invalid_argument,
                 fmt::format("retrieval.k1 is {}; it must be a number of at "
                             "least 0",
                             options.k1)};
  if (!(options.b >= 0 && options.b <= 1))
    return error{
        ec::invalid_argument,
        fmt::format("retrieval.b is {}; it must be in [0, 1]", options.b)};
  return {};
}

std::string fingerprint(const bm25_options& options) {
  return fmt::format("bm25={}/{}", options.k1, options.b);
}

/// The index as far as it is, and how often each text has each term.
struct bm25_builder::counts {
  using term_id = bm25_index::term_id;

  /// Those of a word that comes for the first time.
  void learn(std::string_view word) {
    fresh.clear();
    append_terms(word, fresh);
    for (const auto& term : fresh)
      made.word_terms_.push_back(made.terms_.add(term));
    made.word_ends_.push_back(
        static_cast<std::uint32_t>(made.word_terms_.size()));
  }

  /// Each text's part of the score of each of its terms.
  void score() {
    auto documents = all.texts_with();
    documents.resize(made.terms_.size()); // of all, whatever the texts have
    made.postings_.open(documents);
    // A document without text is none: it must not change what others score.
    const auto texts = static_cast<double>(
        std::ranges::count_if(made.lengths_, [](auto n) { return n > 0; }));
    double total = 0;
    for (const auto length : made.lengths_)
      total += length;
    std::vector<double> idf;
    idf.reserve(documents.size());
    for (const double df : documents)
      idf.push_back(std::log1p((texts - df + 0.5) / (df + 0.5)));
    all.drain([&](std::uint32_t doc, term_id term, double tf) {
      const double relative = made.lengths_[doc] * texts / total;
      const double norm = options.k1 * (1 - options.b + options.b * relative);
      const double part = idf[term] * tf * (options.k1 + 1) / (tf + norm);
      made.postings_.add(term, doc, static_cast<float>(part));
    });
  }

  bm25_options options;
  bm25_index made;
  term_counts all;
  std::vector<term_id> terms; ///< of the text that is added
  std::vector<std::string> fresh;
};

bm25_builder::bm25_builder(bm25_options options)
    : built_(new counts{
        options, bm25_index{bm25_index::for_builder{*this}}, {}, {}, {}}) {
  BREWERY_ASSERT(validate(options));
}

bm25_builder::~bm25_builder() = default;

void bm25_builder::add(std::string_view text) {
  auto& [options, made, all, terms, fresh] = *built_;
  terms.clear();
  std::size_t at = 0;
  for (auto word = next_word(text, at); !word.empty();
       word = next_word(text, at)) {
    const auto known = made.words_.size();
    const auto number = made.words_.add(word);
    if (number == known) built_->learn(word);
    const auto its = made.terms_of_word(number);
    terms.insert(terms.end(), its.begin(), its.end());
  }
  std::ranges::sort(terms);
  all.add(terms);
  made.lengths_.push_back(static_cast<std::uint32_t>(terms.size()));
}

bm25_index bm25_builder::finish() {
  built_->score();
  return std::move(std::exchange(built_, nullptr)->made);
}

bm25_index::bm25_index(const std::vector<std::string_view>& texts,
                       bm25_options options) {
  bm25_builder builder{options};
  for (const auto text : texts)
    builder.add(text);
  *this = builder.finish();
}

std::span<const bm25_index::term_id>
bm25_index::terms_of_word(string_table::number word) const {
  const std::size_t begin = word == 0 ? 0 : word_ends_[word - 1];
  return std::span{word_terms_}.subspan(begin, word_ends_[word] - begin);
}

void bm25_index::add_word(std::string_view word,
                          std::vector<term_id>& terms) const {
  if (const auto known = words_.find(word)) {
    const auto its = terms_of_word(*known);
    terms.insert(terms.end(), its.begin(), its.end());
    return;
  }
  thread_local std::vector<std::string> parts;
  parts.clear();
  append_terms(word, parts);
  for (const auto& part : parts)
    if (const auto term = terms_.find(part)) terms.push_back(*term);
}

std::vector<bm25_index::term_id>
bm25_index::terms_of(std::string_view query) const {
  std::vector<term_id> terms;
  terms.reserve(query.size() / 5);
  std::size_t at = 0;
  for (auto word = next_word(query, at); !word.empty();
       word = next_word(query, at))
    add_word(word, terms);
  std::sort(terms.begin(), terms.end());
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  return terms;
}

std::vector<retrieved> bm25_index::search(const retrieval_query& query,
                                          std::size_t limit) const {
  return postings_.best(terms_of(query.text), limit);
}

void bm25_index::all_scores(std::string_view query,
                            std::vector<double>& scores) const {
  postings_.sums(terms_of(query), size(), scores);
}

std::shared_ptr<const retriever> make_bm25(const knowledge_base& kb,
                                           bm25_options options) {
  std::vector<std::string_view> texts;
  texts.reserve(kb.size());
  for (const auto& entry : kb.entries())
    texts.emplace_back(entry.doc->body);
  return std::make_shared<const bm25_index>(texts, options);
}

} // namespace brewery

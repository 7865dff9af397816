#include "kb/bm25.hpp"

#include "kb/tokenizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

/// Term frequencies while the index is built.
struct bm25_index::builder {
  struct count {
    std::uint32_t doc;
    std::uint32_t times;
  };
  std::vector<std::vector<count>> by_term; ///< by ascending document
};

bm25_index::bm25_index(const std::vector<std::string_view>& texts,
                       bm25_options options) {
  BREWERY_ASSERT(validate(options));
  builder built;
  std::vector<std::string> fresh;
  for (std::uint32_t doc = 0; doc < texts.size(); ++doc) {
    std::uint32_t length = 0;
    std::size_t at = 0;
    for (auto word = next_word(texts[doc], at); !word.empty();
         word = next_word(texts[doc], at)) {
      auto known = words_.find(word);
      if (known == words_.end()) {
        fresh.clear();
        append_terms(word, fresh);
        std::vector<term_id> ids;
        for (const auto& term : fresh) {
          const auto next = static_cast<term_id>(terms_.size());
          ids.push_back(terms_.try_emplace(term, next).first->second);
        }
        built.by_term.resize(terms_.size());
        known = words_.emplace(std::string{word}, std::move(ids)).first;
      }
      for (const term_id id : known->second) {
        auto& counts = built.by_term[id];
        if (counts.empty() || counts.back().doc != doc)
          counts.push_back({doc, 0});
        ++counts.back().times;
        ++length;
      }
    }
    lengths_.push_back(length);
  }
  finish(built, options);
}

void bm25_index::finish(builder& built, bm25_options options) {
  // A document without text is none: it must not change what others score.
  const auto documents = static_cast<double>(
      std::count_if(lengths_.begin(), lengths_.end(),
                    [](auto length) { return length > 0; }));
  double total = 0;
  for (const auto length : lengths_)
    total += length;
  std::size_t postings = 0;
  for (const auto& counts : built.by_term)
    postings += counts.size();
  postings_.reserve(built.by_term.size(), postings);
  for (auto& counts : built.by_term) {
    const double df = static_cast<double>(counts.size());
    const double idf = std::log1p((documents - df + 0.5) / (df + 0.5));
    postings_.begin_list();
    for (const auto& count : counts) {
      const double tf = count.times;
      const double relative = lengths_[count.doc] * documents / total;
      const double norm = options.k1 * (1 - options.b + options.b * relative);
      const double score = idf * tf * (options.k1 + 1) / (tf + norm);
      postings_.add(count.doc, static_cast<float>(score));
    }
    // Large collections: only one of the two has a term.
    std::vector<builder::count>{}.swap(counts);
  }
}

void bm25_index::add_word(std::string_view word,
                          std::vector<term_id>& terms) const {
  if (const auto known = words_.find(word); known != words_.end()) {
    terms.insert(terms.end(), known->second.begin(), known->second.end());
    return;
  }
  thread_local std::vector<std::string> parts;
  parts.clear();
  append_terms(word, parts);
  for (const auto& part : parts)
    if (const auto it = terms_.find(part); it != terms_.end())
      terms.push_back(it->second);
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

std::shared_ptr<const retriever> make_bm25(const knowledge_base& kb,
                                           bm25_options options) {
  std::vector<std::string_view> texts;
  texts.reserve(kb.size());
  for (const auto& entry : kb.entries())
    texts.emplace_back(entry.doc->body);
  return std::make_shared<const bm25_index>(texts, options);
}

} // namespace brewery

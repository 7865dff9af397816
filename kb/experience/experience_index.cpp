#include "kb/experience/experience_index.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "kb/best_hits.hpp"
#include "kb/experience/utility.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace brewery {

namespace {

/// Of the best by words, looked at first: few others reach what they come to.
constexpr std::size_t first_by_words = 32;

} // namespace

std::string with_line_words(std::string_view text) {
  std::string out{text};
  for (const auto line : split(text, '\n')) {
    const auto clean = trim(line);
    if (!clean.empty()) out += fmt::format("\nline{:016x}x", hash64(clean, 0));
  }
  return out;
}

experience_index_builder::experience_index_builder(
    const experience_index_options& options, std::size_t count)
    : words_(options.bm25) {
  made_.options_ = options;
  made_.facets_ =
      facet_store{options.weights, count <= options.exact_below, count};
  made_.rows_.reserve(count);
}

result<void> experience_index_builder::add(indexed_experience entry) {
  auto& rows = made_.rows_;
  if (!rows.empty() && entry.id <= rows.back().id)
    return error{ec::invalid_argument,
                 entry.id == rows.back().id
                     ? fmt::format("experience {} is given twice", entry.id)
                     : fmt::format("experience {} is given behind {}", entry.id,
                                   rows.back().id)};
  words_.add(with_line_words(entry.text));
  if (auto ok = made_.facets_.add(std::move(entry.facets)); !ok)
    return error{
        ec::invalid_argument,
        fmt::format("experience {}: {}", entry.id, ok.error().message)};
  const auto [place, fresh] = places_.try_emplace(
      {std::move(entry.domain), std::move(entry.tools)}, places_.size());
  if (fresh) made_.places_.push_back(place->first);
  rows.push_back({std::move(entry.id), entry.quality, place->second});
  return {};
}

experience_index experience_index_builder::finish() {
  made_.words_ = std::make_shared<const bm25_index>(words_.finish());
  if (made_.size() > made_.options_.exact_below)
    made_.problems_ = made_.facets_.index_first();
  return std::move(made_);
}

result<experience_index>
experience_index::make(std::vector<indexed_experience> entries,
                       const experience_index_options& options) {
  std::ranges::sort(entries, {}, &indexed_experience::id);
  experience_index_builder builder{options, entries.size()};
  for (auto& entry : entries)
    if (auto ok = builder.add(std::move(entry)); !ok) return ok.error();
  return builder.finish();
}

/// The best so far of one search. What cannot be among them is not scored.
class experience_index::ranking {
public:
  ranking(const experience_index& index, const experience_query& query,
          std::size_t k)
      : index_(index), query_(query),
        facets_(index.facets_.prepare(query.facets)), ranked_(k),
        seen_(index.size()) {}

  /// Once for each entry; `words` is its lexical score.
  void consider(std::size_t entry, double words) {
    if (seen_[entry]) return;
    seen_[entry] = true;
    const auto& store = index_.facets_;
    const double quality = index_.rows_[entry].quality;
    if (!can_be_good(words, store.most(entry, facets_) * quality)) return;
    if (!index_.problems_
        && !can_be_good(words,
                        std::max(0.0, store.most_by_codes(entry, facets_))
                            * quality))
      return;
    const double alpha = index_.options_.alpha;
    const double near = alpha < 1 ? semantic(entry) : 0;
    const double score = hybrid(alpha, words, near);
    if (score <= 0 || score < ranked_.least()) return;
    ranked_.add({entry, score});
    all_.push_back({entry, score, words, near});
  }

  std::vector<experience_hit> take() {
    std::vector<experience_hit> out;
    for (const auto& hit : ranked_.take())
      out.push_back(
          *std::ranges::find(all_, hit.index, &experience_hit::entry));
    return out;
  }

  [[nodiscard]] const facet_query& facets() const { return facets_; }

private:
  /// No factor of what vectors give is above 1.
  [[nodiscard]] bool can_be_good(double words, double semantic_most) const {
    constexpr double rounding = 1e-9;
    return hybrid(index_.options_.alpha, words, semantic_most) + rounding
           >= ranked_.least();
  }

  [[nodiscard]] double semantic(std::size_t entry) const {
    const auto& row = index_.rows_[entry];
    const auto& [domain, tools] = index_.places_[row.place];
    const double sum = index_.facets_.sum(entry, facets_);
    const bool near = query_.tools.empty() || query_.domain == domain;
    const double distance = near ? 0 : domain_distance(tools, query_.tools);
    return std::max(0.0, sum)
           * domain_factor(distance, index_.options_.domain_scale)
           * row.quality;
  }

  const experience_index& index_;
  const experience_query& query_;
  facet_query facets_;
  best_hits ranked_;
  std::vector<experience_hit> all_;
  std::vector<bool> seen_;
};

void experience_index::search_all(const experience_query& query,
                                  ranking& found) const {
  thread_local std::vector<double> words;
  words.assign(size(), 0);
  if (options_.alpha > 0)
    words_->all_scores(with_line_words(query.text), words);
  best_hits first{first_by_words};
  for (std::size_t i = 0; i < size(); ++i)
    if (words[i] > first.least()) first.add({i, words[i]});
  const auto leading = first.take();
  const double best = leading.empty() ? 1 : leading.front().score;
  for (const auto& hit : leading)
    found.consider(hit.index, hit.score / best);
  for (std::size_t i = 0; i < size(); ++i)
    found.consider(i, words[i] / best);
}

void experience_index::search_shortlists(const experience_query& query,
                                         ranking& found) const {
  if (options_.alpha > 0) {
    double best = 0;
    for (const auto& hit : words_->search({with_line_words(query.text), {}},
                                          options_.shortlist)) {
      best = std::max(best, hit.score);
      found.consider(hit.index, hit.score / best);
    }
  }
  for (const auto& hit :
       problems_->search({{}, query.facets[0]}, options_.shortlist))
    found.consider(hit.index, 0);
}

std::vector<experience_hit>
experience_index::search(const experience_query& query, std::size_t k) const {
  if (rows_.empty()) return {};
  ranking found{*this, query, k};
  if (problems_)
    search_shortlists(query, found);
  else
    search_all(query, found);
  return found.take();
}

} // namespace brewery

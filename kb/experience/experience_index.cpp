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

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

result<void> check(const std::vector<indexed_experience>& entries) {
  facet_vectors first{};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i > 0 && entries[i].id == entries[i - 1].id)
      return error{ec::invalid_argument,
                   fmt::format("experience {} is given twice", entries[i].id)};
    for (std::size_t f = 0; f < facet_count; ++f) {
      const auto& vector = entries[i].facets[f];
      if (vector.empty()) continue;
      if (first[f].empty()) first[f] = vector;
      if (vector.size() != first[f].size())
        return error{ec::invalid_argument,
                     fmt::format("facet {} of experience {} has {} numbers, of "
                                 "another one {}",
                                 f, entries[i].id, vector.size(),
                                 first[f].size())};
    }
  }
  return {};
}

std::array<double, facet_count> lengths_of(const facet_vectors& facets) {
  std::array<double, facet_count> out{};
  for (std::size_t f = 0; f < facet_count; ++f)
    out[f] = std::sqrt(dot(facets[f], facets[f]));
  return out;
}

result<std::shared_ptr<const dense_index>>
dense_of(const std::vector<indexed_experience>& entries) {
  std::vector<std::span<const double>> vectors;
  vectors.reserve(entries.size());
  for (const auto& entry : entries)
    vectors.emplace_back(entry.facets[0]);
  auto codes = codes_of(vectors);
  if (!codes) return codes.error();
  return std::shared_ptr<const dense_index>{
      std::make_shared<dense_index>(std::move(*codes))};
}

} // namespace

std::string with_line_words(std::string_view text) {
  std::string out{text};
  for (const auto line : split(text, '\n')) {
    const auto clean = trim(line);
    if (!clean.empty()) out += fmt::format("\nline{:016x}x", hash64(clean, 0));
  }
  return out;
}

result<experience_index>
experience_index::make(std::vector<indexed_experience> entries,
                       const experience_index_options& options) {
  std::ranges::sort(entries, {}, &indexed_experience::id);
  if (auto ok = check(entries); !ok) return ok.error();
  experience_index out;
  out.options_ = options;
  std::vector<std::string> texts;
  texts.reserve(entries.size());
  for (const auto& entry : entries)
    texts.push_back(with_line_words(entry.text));
  out.words_ = std::make_shared<bm25_index>(
      std::vector<std::string_view>{texts.begin(), texts.end()}, options.bm25);
  if (entries.size() > options.exact_below) {
    auto made = dense_of(entries);
    if (!made) return made.error();
    out.problems_ = std::move(*made);
  }
  for (const auto& entry : entries)
    out.lengths_.push_back(lengths_of(entry.facets));
  out.entries_ = std::move(entries);
  return out;
}

double experience_index::semantic(const indexed_experience& entry,
                                  const experience_query& query) const {
  double sum = 0;
  for (std::size_t f = 0; f < facet_count; ++f)
    sum += options_.weights[f] * dot(entry.facets[f], query.facets[f]);
  const bool near = query.tools.empty() || query.domain == entry.domain;
  const double distance = near ? 0 : domain_distance(entry.tools, query.tools);
  return std::max(0.0, sum) * domain_factor(distance, options_.domain_scale)
         * entry.quality;
}

/// No more than this: |a b| <= |a| |b|, and no factor is above 1.
double experience_index::semantic_most(
    std::size_t entry, const std::array<double, facet_count>& lengths) const {
  double sum = 0;
  for (std::size_t f = 0; f < facet_count; ++f)
    sum += std::abs(options_.weights[f]) * lengths_[entry][f] * lengths[f];
  return sum * entries_[entry].quality;
}

std::vector<experience_hit>
experience_index::search(const experience_query& query, std::size_t k) const {
  if (entries_.empty()) return {};
  constexpr double rounding = 1e-9;
  const bool exact = !problems_;
  const auto depth = exact ? entries_.size() : options_.shortlist;
  const auto lengths = lengths_of(query.facets);
  best_hits ranked{k};
  std::vector<experience_hit> all;
  std::vector<bool> seen(entries_.size());
  const auto consider = [&](std::size_t entry, double words) {
    if (seen[entry]) return;
    seen[entry] = true;
    const auto most =
        hybrid(options_.alpha, words, semantic_most(entry, lengths));
    if (most + rounding < ranked.least()) return;
    const double near =
        options_.alpha < 1 ? semantic(entries_[entry], query) : 0;
    const double score = hybrid(options_.alpha, words, near);
    if (score <= 0 || score < ranked.least()) return;
    ranked.add({entry, score});
    all.push_back({entry, score, words, near});
  };
  // Those with the best words first: few others can reach what they come to.
  if (options_.alpha > 0) {
    double best = 0;
    for (const auto& hit :
         words_->search({with_line_words(query.text), {}}, depth)) {
      best = std::max(best, hit.score);
      consider(hit.index, hit.score / best);
    }
  }
  if (exact) {
    for (std::size_t i = 0; i < entries_.size(); ++i)
      consider(i, 0);
  } else {
    for (const auto& hit : problems_->search({{}, query.facets[0]}, depth))
      consider(hit.index, 0);
  }
  std::vector<experience_hit> out;
  for (const auto& hit : ranked.take())
    out.push_back(*std::ranges::find(all, hit.index, &experience_hit::entry));
  return out;
}

} // namespace brewery

#include "kb/comparators/term_vectors.hpp"

#include "kb/tokenizer.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace brewery {

term_weights::term_weights(const std::vector<std::string>& texts)
    : texts_(texts.size()) {
  for (const auto& text : texts) {
    const auto terms = tokenize(text);
    for (const auto& term : std::set<std::string>(terms.begin(), terms.end()))
      ++terms_[term].texts;
  }
  std::uint32_t number = 0;
  for (auto& [term, known] : terms_)
    known.number = number++;
}

double term_weights::idf(std::string_view term) const {
  const auto found = terms_.find(term);
  const auto with = found == terms_.end() ? 0 : found->second.texts;
  return 1
         + std::log((1 + static_cast<double>(texts_))
                    / (1 + static_cast<double>(with)));
}

std::map<std::string, double, std::less<>>
term_weights::weighted(std::string_view text) const {
  std::map<std::string, double, std::less<>> out;
  for (auto& term : tokenize(text))
    ++out[std::move(term)];
  for (auto& [term, weight] : out)
    weight *= idf(term);
  return out;
}

term_vector term_weights::vector_of(std::string_view text) const {
  term_vector out;
  double square = 0;
  for (const auto& [term, weight] : weighted(text))
    if (const auto known = terms_.find(term); known != terms_.end()) {
      out.emplace_back(known->second.number, weight); // numbered by alphabet
      square += weight * weight;
    }
  for (auto& [number, weight] : out)
    weight /= std::sqrt(square);
  return out;
}

std::vector<std::string> term_weights::keywords(std::string_view text,
                                                std::size_t limit) const {
  const auto all = weighted(text);
  std::vector<std::pair<std::string, double>> ranked(all.begin(), all.end());
  std::ranges::stable_sort(
      ranked, [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> out;
  for (std::size_t i = 0; i < std::min(limit, ranked.size()); ++i)
    out.push_back(std::move(ranked[i].first));
  return out;
}

compared_place::compared_place(const term_vector& place, std::size_t terms)
    : weights_(terms) {
  for (const auto& [number, weight] : place)
    weights_[number] = weight;
}

double compared_place::cosine_to(const term_vector& other) const {
  double out = 0;
  for (const auto& [number, weight] : other)
    out += weights_[number] * weight;
  return std::min(out, 1.0);
}

double cosine(const term_vector& one, const term_vector& other) {
  if (one.empty() || other.empty()) return 0;
  const auto terms = std::max(one.back().first, other.back().first) + 1;
  return compared_place{one, terms}.cosine_to(other);
}

} // namespace brewery

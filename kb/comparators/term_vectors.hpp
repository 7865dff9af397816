#pragma once
/// Texts as directions in the space of their terms, rare terms counting more:
/// tf · (1 + ln((1 + n) / (1 + df))), of length 1. What a comparator without a
/// language model has for an embedder. PURE.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace brewery {

/// Numbers of terms and weights, by number; empty for a text without terms.
using term_vector = std::vector<std::pair<std::uint32_t, double>>;

/// How rare terms are in a set of texts. A term of none of them is in no
/// vector.
class term_weights {
public:
  explicit term_weights(const std::vector<std::string>& texts);

  /// 1 for a term of every text, more for rarer ones.
  [[nodiscard]] double idf(std::string_view term) const;

  [[nodiscard]] term_vector vector_of(std::string_view text) const;
  /// Numbers of terms are below it.
  [[nodiscard]] std::size_t terms() const { return terms_.size(); }

  /// Up to `limit` terms of the greatest tf · idf, ties by the alphabet.
  [[nodiscard]] std::vector<std::string> keywords(std::string_view text,
                                                  std::size_t limit) const;

private:
  struct known_term {
    std::uint32_t number = 0;
    std::size_t texts = 0; ///< with it
  };

  [[nodiscard]] std::map<std::string, double, std::less<>>
  weighted(std::string_view text) const;

  std::map<std::string, known_term, std::less<>> terms_;
  std::size_t texts_ = 0;
};

/// A direction that many are compared with: its weights by number.
class compared_place {
public:
  compared_place(const term_vector& place, std::size_t terms);
  /// From 0, nothing in common, to 1.
  [[nodiscard]] double cosine_to(const term_vector& other) const;

private:
  std::vector<double> weights_;
};

/// From 0, nothing in common, to 1.
double cosine(const term_vector& one, const term_vector& other);

} // namespace brewery

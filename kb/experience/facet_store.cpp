#include "kb/experience/facet_store.hpp"

#include "kb/dense/dense_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace brewery {

namespace {

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

/// For bounds.
float rounded_up(double value) {
  return std::nextafter(static_cast<float>(value),
                        std::numeric_limits<float>::infinity());
}

} // namespace

facet_store::facet_store(const std::array<double, facet_count>& weights,
                         bool whole, std::size_t expected)
    : whole_(whole), expected_(expected) {
  for (std::size_t f = 0; f < facet_count; ++f)
    facets_[f].weight = weights[f];
  if (whole) vectors_.reserve(expected);
  reach_.reserve(expected);
}

result<void> facet_store::add(facet_vectors facets) {
  double reach = 0;
  for (std::size_t f = 0; f < facet_count; ++f) {
    auto& mine = facets_[f];
    const auto& vector = facets[f];
    if (!vector.empty() && mine.dimensions == 0) {
      mine.dimensions = vector.size();
      mine.codes = std::make_unique<vector_codes>(vector.size(), expected_);
      mine.lengths.reserve(expected_);
      for (std::size_t i = 0; i < reach_.size(); ++i) {
        if (auto ok = mine.codes->add({}); !ok) return ok.error();
        mine.lengths.push_back(0);
      }
    }
    if (!vector.empty() && vector.size() != mine.dimensions)
      return error{ec::invalid_argument,
                   fmt::format("facet {} has {} numbers, of another one {}", f,
                               vector.size(), mine.dimensions)};
    if (mine.dimensions == 0) continue;
    if (auto ok = mine.codes->add(vector); !ok) return ok.error();
    const double length = std::sqrt(dot(vector, vector));
    mine.lengths.push_back(static_cast<float>(length));
    reach += std::abs(mine.weight) * length;
  }
  reach_.push_back(rounded_up(reach));
  if (whole_) vectors_.push_back(std::move(facets));
  return {};
}

facet_query facet_store::prepare(const facet_vectors& facets) const {
  facet_query out;
  out.whole = &facets;
  for (std::size_t f = 0; f < facet_count; ++f) {
    if (facets[f].empty() || facets[f].size() != facets_[f].dimensions)
      continue;
    auto code = code_of(facets[f]);
    if (!code) continue;
    out.codes[f] = std::move(*code);
    out.lengths[f] = std::sqrt(dot(facets[f], facets[f]));
    out.longest = std::max(out.longest, out.lengths[f]);
  }
  return out;
}

/// A code differs from its vector by half a step in each number at most, and so
/// does the query's; what the coarse half lacks is known.
double facet_store::most_by_codes(std::size_t i,
                                  const facet_query& query) const {
  double most = 0;
  for (std::size_t f = 0; f < facet_count; ++f) {
    const auto& mine = facets_[f];
    const auto& code = query.codes[f];
    if (query.lengths[f] == 0 || !mine.codes->is_somewhere(i)) continue;
    const double step = mine.codes->step(i);
    const double rounded = 0.51
                           * std::sqrt(static_cast<double>(mine.dimensions))
                           * (step + code.step);
    constexpr double of_lengths = 1e-6; // they are floats
    const double lacking =
        code.length * mine.codes->missing(i) + rounded + of_lengths;
    const double about = coarse_cosine(code, mine.codes->coarse(i), step);
    most += (mine.weight * about + std::abs(mine.weight) * lacking)
            * query.lengths[f] * static_cast<double>(mine.lengths[i]);
  }
  return most;
}

double facet_store::by_codes(std::size_t f, std::size_t i,
                             const facet_query& query) const {
  const auto& code = query.codes[f];
  if (f == 0 && first_) return first_->cosine_of(i, code);
  const auto& codes = *facets_[f].codes;
  return cosine(code, codes.coarse(i), codes.fine(i), codes.step(i));
}

double facet_store::sum(std::size_t i, const facet_query& query) const {
  double sum = 0;
  for (std::size_t f = 0; f < facet_count; ++f)
    if (whole_)
      sum += facets_[f].weight * dot(vectors_[i][f], (*query.whole)[f]);
    else if (query.lengths[f] > 0)
      sum += facets_[f].weight * by_codes(f, i, query) * query.lengths[f]
             * static_cast<double>(facets_[f].lengths[i]);
  return sum;
}

std::shared_ptr<const dense_index> facet_store::index_first() {
  auto& mine = facets_[0];
  if (!mine.codes) return nullptr;
  first_ = std::make_shared<const dense_index>(std::move(*mine.codes));
  mine.codes.reset();
  return first_;
}

} // namespace brewery

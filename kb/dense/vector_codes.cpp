#include "kb/dense/vector_codes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace brewery {

namespace {

constexpr int coarse_step = 254; ///< of the code, for 1 of its coarse half
constexpr int code_max = 127 * coarse_step;

std::size_t filled_up(std::size_t numbers) {
  return (numbers + code_block - 1) / code_block * code_block;
}

int coarse_of(int code) {
  const int half = code < 0 ? -coarse_step / 2 : coarse_step / 2;
  return (code + half) / coarse_step;
}

std::int64_t whole(std::int64_t coarse, std::int64_t fine) {
  return coarse_step * coarse + fine;
}

} // namespace

result<coded_query> code_of(std::span<const double> vector) {
  coded_query out;
  out.code.resize(filled_up(vector.size()));
  out.coarse.resize(out.code.size());
  double square = 0, largest = 0;
  for (const double x : vector) {
    square += x * x;
    largest = std::max(largest, std::abs(x));
  }
  if (!std::isfinite(square))
    return error{ec::invalid_argument,
                 "retrieval: a vector has numbers that are not finite"};
  if (!(square > 0)) return out;
  out.step = largest / std::sqrt(square) / code_max;
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < vector.size(); ++i) {
    const auto code = std::lround(vector[i] / largest * code_max);
    out.code[i] = static_cast<std::int16_t>(code);
    out.coarse[i] = static_cast<std::int8_t>(coarse_of(static_cast<int>(code)));
    sum += code * code;
  }
  out.length = std::sqrt(static_cast<double>(sum)) * out.step;
  return out;
}

vector_codes::vector_codes(std::size_t dimensions, std::size_t expected)
    : dimensions_(dimensions), width_(filled_up(dimensions)) {
  coarse_.reserve(expected * width_);
  fine_.reserve(expected * width_);
  steps_.reserve(expected);
  missing_.reserve(expected);
}

result<void> vector_codes::add(std::span<const double> vector) {
  if (!vector.empty() && vector.size() != dimensions_)
    return error{ec::invalid_argument,
                 fmt::format("retrieval: the vector of document {} has {} "
                             "numbers, those before it have {}",
                             size() + 1, vector.size(), dimensions_)};
  auto made = code_of(vector);
  if (!made) return made.error();
  made->code.resize(width_);
  made->coarse.resize(width_);
  std::int64_t lacking = 0;
  for (std::size_t i = 0; i < width_; ++i) {
    const int fine = made->code[i] - coarse_step * made->coarse[i];
    fine_.push_back(static_cast<std::int8_t>(fine));
    lacking += static_cast<std::int64_t>(fine) * fine;
  }
  coarse_.insert(coarse_.end(), made->coarse.begin(), made->coarse.end());
  steps_.push_back(made->step);
  // Up, so that it stays a bound.
  missing_.push_back(std::nextafter(
      static_cast<float>(std::sqrt(static_cast<double>(lacking)) * made->step),
      2.0F));
  return {};
}

double cosine(const coded_query& query, std::span<const std::int8_t> coarse,
              std::span<const std::int8_t> fine, double step) {
  return static_cast<double>(
             whole(dot(query.code, coarse), dot(query.code, fine)))
         * query.step * step;
}

double coarse_cosine(const coded_query& query,
                     std::span<const std::int8_t> coarse, double step) {
  return static_cast<double>(whole(dot(query.code, coarse), 0)) * query.step
         * step;
}

} // namespace brewery

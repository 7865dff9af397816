#pragma once
/// Vectors as whole numbers, two bytes for each number of theirs. A vector is
/// scaled to length 1 and its largest number to 32,258 = 127 * 254; each number
/// is then 254 * coarse + fine, both from -127 to 127. The coarse bytes are a
/// quarter of the floats they stand for and are scanned; both together differ
/// from the vector by less than floats do from each other, and decide. Cosines
/// of codes are whole numbers until the last step, so they are the same on
/// every machine. Not thread-safe while vectors are added.

#include "base/result.hpp"
#include "kb/dense/dot_product.hpp"

#include <vector>

namespace brewery {

/// A query, for comparison with codes.
struct coded_query {
  std::vector<std::int16_t> code; ///< 254 * coarse + fine
  std::vector<std::int8_t> coarse;
  double step = 0; ///< a number of the vector is `code` times this
  double length = 0;
};

/// Error ec::invalid_argument: a number of the vector is not finite. A vector
/// of zeros has a code of zeros.
result<coded_query> code_of(std::span<const double> vector);

class vector_codes {
public:
  /// `expected`: how many vectors there will be, if known.
  explicit vector_codes(std::size_t dimensions, std::size_t expected = 0);

  /// Adds a vector; an empty one is near nothing. Errors ec::invalid_argument:
  /// another length than `dimensions`, or a number that is not finite.
  result<void> add(std::span<const double> vector);

  [[nodiscard]] std::size_t size() const { return steps_.size(); }
  [[nodiscard]] std::size_t dimensions() const { return dimensions_; }
  /// Of a code: `dimensions` and zeros up to a whole block.
  [[nodiscard]] std::size_t width() const { return width_; }

  /// False: the vector was empty or zero.
  [[nodiscard]] bool is_somewhere(std::size_t i) const { return steps_[i] > 0; }
  [[nodiscard]] std::span<const std::int8_t> coarse(std::size_t i) const {
    return std::span{coarse_}.subspan(i * width_, width_);
  }
  [[nodiscard]] std::span<const std::int8_t> fine(std::size_t i) const {
    return std::span{fine_}.subspan(i * width_, width_);
  }
  [[nodiscard]] double step(std::size_t i) const { return steps_[i]; }
  /// The length of what the coarse code lacks.
  [[nodiscard]] double missing(std::size_t i) const { return missing_[i]; }

  /// For who has a copy of the coarse codes.
  void drop_coarse() { std::vector<std::int8_t>{}.swap(coarse_); }

private:
  std::size_t dimensions_, width_;
  std::vector<std::int8_t> coarse_, fine_;
  std::vector<double> steps_;
  std::vector<float> missing_;
};

/// The cosine of the query and a vector, from all of its code.
double cosine(const coded_query& query, std::span<const std::int8_t> coarse,
              std::span<const std::int8_t> fine, double step);

/// From the coarse half alone; it is off by at most the query's length times
/// `missing`.
double coarse_cosine(const coded_query& query,
                     std::span<const std::int8_t> coarse, double step);

} // namespace brewery

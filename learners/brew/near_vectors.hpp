#pragma once
/// Which of many vectors are near: most pairs are not, and that shows before
/// all of their products are summed up. Pure.

#include <vector>

namespace brewery {

/// A vector to compare with others. It refers to its values.
class compared_vector {
public:
  explicit compared_vector(const std::vector<double>& values);

  /// The dot product with a vector of the same size, if it is at least `least`;
  /// otherwise any number below `least`. Sums in the same order whatever
  /// `least` is.
  [[nodiscard]] double dot_from(double least,
                                const compared_vector& other) const;

private:
  const std::vector<double>* values_;
  /// By block of values: the length of what lies behind it, which bounds what
  /// the products there can add (Cauchy and Schwarz).
  std::vector<double> behind_;
};

} // namespace brewery

#include "kb/experience/utility.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace brewery {

double updated_quality(double quality, double rate, double outcome) {
  return (1 - rate) * quality + rate * outcome;
}

double utility(double quality, double decay, double idle, double impacts) {
  return quality * std::exp(-decay * idle) + impacts;
}

double domain_factor(double distance, double scale) {
  return std::exp(-distance / scale);
}

double domain_distance(const std::vector<std::string>& a,
                       const std::vector<std::string>& b) {
  if (a.empty() && b.empty()) return 0;
  std::vector<std::string> shared;
  std::ranges::set_intersection(a, b, std::back_inserter(shared));
  const auto common = static_cast<double>(shared.size());
  const auto all = static_cast<double>(a.size() + b.size()) - common;
  return 1 - common / all;
}

double cosine_of(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) return 0;
  double dot = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    dot += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  return aa > 0 && bb > 0 ? dot / std::sqrt(aa * bb) : 0;
}

} // namespace brewery

#include "roles/procedural/procedural_embedder.hpp"

#include "base/hash.hpp"
#include "kb/tokenizer.hpp"

#include <cmath>
#include <map>

namespace brewery {

result<std::vector<std::vector<double>>>
procedural_embedder::embed(const std::vector<std::string>& texts,
                           job_context&) const {
  std::vector<std::vector<double>> out;
  out.reserve(texts.size());
  for (const auto& text : texts) {
    std::map<std::string, double> counts;
    for (auto& term : tokenize(text))
      counts[std::move(term)] += 1;
    std::vector<double> vector(dimensions_, 0.0);
    for (const auto& [term, count] : counts)
      vector[hash64(term) % dimensions_] += std::sqrt(count);
    double norm = 0;
    for (const double x : vector)
      norm += x * x;
    if (norm > 0)
      for (double& x : vector)
        x /= std::sqrt(norm);
    out.push_back(std::move(vector));
  }
  return out;
}

} // namespace brewery

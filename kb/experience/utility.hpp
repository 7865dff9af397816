#pragma once
/// The arithmetic of Agent KB: how much an experience is worth, how far two
/// domains are apart, whether a refinement may be applied. Sources: the
/// workshop version of Agent KB, appendices B.1, D.1 and D.3, and its version
/// of October 2025 for the gate. Constants that neither gives are ours
///. PURE.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace brewery {

/// Q <- (1 - rate) Q + rate * outcome; all in [0, 1].
double updated_quality(double quality, double rate, double outcome);

/// Q * e^(-decay * idle) + impacts. `idle`: finished episodes since its last
/// use, never seconds.
double utility(double quality, double decay, double idle, double impacts = 0);

/// e^(-distance / scale). `scale` above 0; a distance of `scale` gives 0.3679.
double domain_factor(double distance, double scale);

/// 0 if the words are the same, 1 if none is shared: 1 - Jaccard. Of two empty
/// sets 0. Both sorted, without repetitions.
double domain_distance(const std::vector<std::string>& a,
                       const std::vector<std::string>& b);

/// Cosine; 0 if a vector is empty or zero, or they have different lengths.
double cosine_of(std::span<const double> a, std::span<const double> b);

/// The gate: a refinement is applied if it is like what it refines.
inline bool passes_gate(double cosine, double least) {
  return cosine >= least;
}

/// alpha * lexical + (1 - alpha) * semantic.
inline double hybrid(double alpha, double lexical, double semantic) {
  return alpha * lexical + (1 - alpha) * semantic;
}

/// How an experience did so far. Beside its content, not part of it.
struct experience_stats {
  double quality = 0.5;        ///< Q
  std::uint32_t uses = 0;      ///< attempts that used it
  std::uint64_t last_used = 0; ///< finished episodes at its last use
  double impacts = 0;          ///< sum of what uses added beyond Q
  bool operator==(const experience_stats&) const = default;
};

} // namespace brewery

#pragma once
/// How BM25 and vectors are fused (kb/fusion.hpp), for everybody who builds an
/// index or whose results depend on one.

#include "base/result.hpp"

#include <cstdint>
#include <string>

namespace brewery {

struct fusion_options {
  std::uint32_t k = 60;   ///< larger: lower ranks count for more
  double bm25_weight = 1; ///< at least 0; 0: not asked
  double dense_weight = 1;

  bool operator==(const fusion_options&) const = default;
};

/// Error ec::invalid_argument names the option: a weight is negative or no
/// number, or both are 0.
result<void> validate(const fusion_options& options);

/// "fusion=60/1/1": their part in the key of every rollout.
std::string fingerprint(const fusion_options& options);

} // namespace brewery

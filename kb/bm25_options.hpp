#pragma once
/// The two constants of BM25 (kb/bm25.hpp), for everybody who builds an index
/// or whose results depend on one.

#include "base/result.hpp"

#include <string>

namespace brewery {

struct bm25_options {
  double k1 = 1.2; ///< saturation of tf, at least 0
  double b = 0.75; ///< length normalisation, in [0, 1]

  bool operator==(const bm25_options&) const = default;
};

/// Error ec::invalid_argument names the option and its range.
result<void> validate(const bm25_options& options);

/// "bm25=1.2/0.75": their part in the key of every rollout.
std::string fingerprint(const bm25_options& options);

} // namespace brewery

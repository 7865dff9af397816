#pragma once
/// What `brewery top` shows, as text. PURE.

#include <nlohmann/json.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <string>

namespace brewery {

/// A coordinator's answers to `status` and `workers`.
struct top_sample {
  nlohmann::ordered_json status;
  nlohmann::ordered_json workers;
  double at_s = 0; ///< since some origin
};

struct screen_size {
  static constexpr std::size_t unlimited = static_cast<std::size_t>(-1);
  std::size_t columns = 80; ///< `unlimited`: nothing is cut, for programs
  std::size_t lines = 0;    ///< 0: no limit
};

/// Rates are those between the two samples: none without an earlier one, or if
/// the coordinator was started in between. No line is longer than `columns`; of
/// runs and workers beyond `lines` the number is told.
std::string top_screen(const top_sample& now,
                       const std::optional<top_sample>& before,
                       screen_size size);

} // namespace brewery

#pragma once
/// Counts what may happen often, to tell of it at most once a minute. PURE.

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

namespace brewery {

class once_a_minute {
public:
  using moment = std::chrono::steady_clock::time_point;

  /// It happened. If it is time to tell: how often since it was told last.
  std::optional<std::uint64_t> happened(moment now) {
    ++count_;
    if (again_ && now < *again_) return std::nullopt;
    again_ = now + std::chrono::minutes{1};
    return std::exchange(count_, 0);
  }

private:
  std::uint64_t count_ = 0;
  std::optional<moment> again_;
};

} // namespace brewery

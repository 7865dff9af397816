#pragma once
/// Counts what happens to roles on a model, for metrics and the status line, so
/// that every repair and failure is visible. Thread-safe.

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace brewery {

struct role_counts {
  std::uint64_t calls = 0;    ///< replies of the model
  std::uint64_t repaired = 0; ///< unusable replies that were asked for again
  /// Second replies that were unusable: the role failed.
  std::uint64_t rejected = 0;
  /// Tool calls with arguments that cannot be parsed.
  std::uint64_t bad_arguments = 0;
  std::uint64_t overflowed = 0; ///< attempts that exceeded the model's context
  std::uint64_t dropped = 0;    ///< insights that cannot be used
  std::uint64_t cut = 0;        ///< replies that were cut off
  std::uint64_t words = 0;      ///< replies of words where only a call counts
  /// Documents that were cut to the length that they may have.
  std::uint64_t shortened = 0;
  std::uint64_t left_out = 0; ///< integrations that were not told all insights
  std::uint64_t lost = 0;     ///< documents that lack facts or insights

  bool operator==(const role_counts&) const = default;
};

class role_tally {
public:
  void add(const std::string& role, std::uint64_t role_counts::*what) {
    const std::lock_guard lock{mutex_};
    ++(counts_[role].*what);
  }

  [[nodiscard]] std::map<std::string, role_counts> counts() const {
    const std::lock_guard lock{mutex_};
    return counts_;
  }

private:
  mutable std::mutex mutex_;
  std::map<std::string, role_counts> counts_;
};

} // namespace brewery

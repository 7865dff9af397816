#pragma once
/// What roles on a model went through, counted for metrics and the status line:
/// nothing that was repaired or refused stays unseen. Thread-safe.

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace brewery {

struct role_counts {
  std::uint64_t calls = 0;    ///< answers of the model
  std::uint64_t repaired = 0; ///< replies that could not be used: asked again
  std::uint64_t rejected = 0; ///< useless after that too: the role failed
  std::uint64_t bad_arguments = 0; ///< calls of tools that could not be read
  std::uint64_t overflowed = 0;    ///< attempts that outgrew the context

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

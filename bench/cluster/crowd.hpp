#pragma once
/// Many workers in one process, where a process each would be too many: every
/// one a real worker_session (cluster/worker_session.hpp) on a DEALER socket of
/// its own. A job is answered as it comes, and when it came is written down.

#include "base/ids.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>

namespace brewery::bench {

/// When each job arrived, nanoseconds of the steady clock, 0: not yet; in a
/// file that both sides map.
class arrival_table {
public:
  arrival_table(const std::filesystem::path& file, std::size_t jobs);
  ~arrival_table();
  arrival_table(const arrival_table&) = delete;
  arrival_table& operator=(const arrival_table&) = delete;

  void stamp(std::uint64_t job);
  [[nodiscard]] std::int64_t of(std::uint64_t job) const;

private:
  std::size_t jobs_;
  std::atomic<std::int64_t>* table_;
};

/// What a child runs; never returns. `first` makes the workers' names new.
[[noreturn]] void crowd_member(const std::string& endpoint, std::size_t first,
                               std::size_t workers, arrival_table* arrivals);

} // namespace brewery::bench

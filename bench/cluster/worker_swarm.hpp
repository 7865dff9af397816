#pragma once
/// Many workers in one process, because one process each would be too many.
/// Each is a real worker_session (cluster/worker_session.hpp) with its own
/// DEALER socket. It answers a job at once and records its arrival.

#include "base/ids.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>

namespace brewery::bench {

/// When each job arrived, in nanoseconds of the steady clock; 0: not yet. In a
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

/// The main function of a child; never returns. `first` makes the workers'
/// names unique.
[[noreturn]] void swarm_member(const std::string& endpoint, std::size_t first,
                               std::size_t workers, arrival_table* arrivals,
                               bool realtime);

} // namespace brewery::bench

#pragma once
/// Many workers in one process, because one process each would be too many.
/// Each is a real worker_session (cluster/worker_session.hpp) with its own
/// DEALER socket. It answers a job at once.

#include "base/ids.hpp"
#include "cluster/worker_session.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

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

struct swarm_options {
  std::string endpoint;
  std::size_t first = 0; ///< makes the workers' names unique
  std::size_t workers = 1;
  worker_profile profile{}; ///< of each, but for its name
  bool realtime = false;
  /// The encoded result of a job; set by the functions below.
  std::function<std::string(const lease_grant&)> answer{};
};

/// What no-op jobs get: the empty result, once their arrival is recorded. Never
/// returns; nor does the other.
[[noreturn]] void answer_nothing(swarm_options options,
                                 arrival_table* arrivals);

/// Answers the jobs of a run with the results in the log of an earlier one that
/// was the same: the coordinator has all the work of a real run, and the
/// workers next to none. `environments` as of `brewery worker --env`; `options`
/// lacks only what is known from them and from the log.
[[noreturn]] void answer_from_log(swarm_options options,
                                  const std::vector<std::string>& environments,
                                  const std::filesystem::path& run);

} // namespace brewery::bench

#pragma once
/// The logs of a sweep's runs, as where jobs were done before. Opened for
/// reading when they are asked; used by one thread.

#include "actors/job_share.hpp"
#include "store/event_log.hpp"

#include <filesystem>
#include <map>
#include <memory>

namespace brewery {

class shared_logs {
public:
  explicit shared_logs(std::filesystem::path sweep)
      : sweep_(std::move(sweep)) {}

  /// Adds the jobs of a run that a log has. A log that cannot be read has none.
  void add_known(const run_id& run,
                 std::map<job_id, shared_place>& known) const;

  /// Error: that of the log; ec::not_found for a rollout that stands on another
  /// one of its run, which says nothing in another log.
  result<packed_result> read(const shared_place& place);

private:
  /// More are closed and opened again.
  static constexpr std::size_t open_max = 32;
  std::filesystem::path sweep_;
  std::map<run_id, std::unique_ptr<event_log>> open_;
};

} // namespace brewery

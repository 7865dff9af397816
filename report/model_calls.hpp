#pragma once
/// What the model calls of each job took, as the recording of a run says
/// (actors/model_recording): read once and then extended by what came since.
/// Belongs to one thread, and is of one run. Some 100 bytes per job.

#include "base/ids.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "messages/model_msgs.hpp"

#include <cstdint>
#include <filesystem>
#include <map>

namespace brewery {

/// Sums over calls that were answered: as `brewery` counts them, one that was
/// lost and may have been charged is not among them, nor are tokens that a
/// server did not count.
struct model_use {
  std::uint64_t calls = 0;
  std::uint64_t prompt = 0;     ///< tokens
  std::uint64_t completion = 0; ///< tokens
  std::int64_t cost = 0;        ///< picodollars, at the prices of that time

  void add(const model_use& other);
  /// `calls`, `prompt_tokens`, `completion_tokens` and `cost_usd`.
  [[nodiscard]] json as_json() const;
};

class model_calls {
public:
  /// A run without models has no recording, and then nothing is read. Error: as
  /// of the log.
  result<void> extend(const std::filesystem::path& run_directory);

  /// Whether the run has asked a model.
  [[nodiscard]] bool any() const { return !by_job_.empty(); }
  /// Nothing if the job asked none.
  [[nodiscard]] model_use of(const job_id& job) const;
  [[nodiscard]] const std::map<job_id, model_use>& by_job() const {
    return by_job_;
  }

private:
  std::uint64_t seen_ = 0;
  std::map<job_id, model_use> by_job_;
};

} // namespace brewery

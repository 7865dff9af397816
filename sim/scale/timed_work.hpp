#pragma once
/// Jobs that only take time, and their results, of the size of real ones.

#include "base/rng.hpp"
#include "messages/job_msgs.hpp"
#include "sim/scale/scale_sim.hpp"

namespace brewery::simulated {

class timed_work {
public:
  explicit timed_work(const scale_options& options);

  [[nodiscard]] job work(std::uint64_t number) const;
  /// How long the job takes, wherever it runs.
  [[nodiscard]] microseconds duration(const job_id& job) const;
  /// Its result as workers send it, or a small one where size does not matter.
  [[nodiscard]] std::string result(const job_id& job) const;

  void send_small(bool on) { small_ = on; }

private:
  struct sample {
    std::string bytes;
    std::vector<std::size_t> ids, tasks; ///< where these stand in it
  };
  [[nodiscard]] sample sample_of(std::size_t kilobytes) const;
  [[nodiscard]] std::string task_of(std::uint64_t number) const;

  scale_options options_;
  sample usual_, least_;
  bool small_ = false;
};

} // namespace brewery::simulated

#pragma once
/// The disk of a simulated coordinator. It holds the event log of the run and
/// the recording of model calls. The log is written as by the journal actor:
/// what arrives during a commit goes into the next one together. The content of
/// `durable_log` survives a crash.

#include "base/result.hpp"
#include "base/rng.hpp"
#include "sim/node.hpp"

#include <map>
#include <set>

namespace brewery::simulated {

struct log_row {
  std::string kind, key, payload;
};

struct durable_log {
  std::vector<log_row> rows;                  ///< the first is event 1
  std::set<std::string> results;              ///< ids of the jobs with a result
  std::map<std::string, std::string> replies; ///< of models, by call key
  std::uint64_t epoch = 0;
  std::uint64_t grades = 0; ///< number of grades among the results
  /// If set, no worker grades its own rollouts: a rollout's grade is journalled
  /// as a job before the rollout.
  bool grades_first = false;
};

class simulated_disk {
public:
  simulated_disk(const node_port& port, durable_log& log, rng draw)
      : port_(port), log_(log), draw_(draw) {}

  /// Called with the event's number when the event is on disk.
  using written = std::function<void(std::uint64_t event)>;
  void append(log_row row, written done);
  [[nodiscard]] const std::string& read(std::uint64_t event) const {
    return log_.rows.at(event - 1).payload;
  }

  /// Called with true when the log cannot be written, with false when it can be
  /// again.
  std::function<void(bool stuck)> on_stuck;
  /// While set, commits fail and are retried.
  void set_full(bool full) { full_ = full; }
  /// A crash. `batch_made_it`: whether the batch being written reached the
  /// disk.
  void lose_memory(bool batch_made_it);

private:
  struct entry {
    log_row row;
    written done;
  };
  void commit();
  void end_commit();
  std::uint64_t write(const log_row& row);
  void check_grade(const log_row& row);

  const node_port& port_;
  durable_log& log_;
  rng draw_;
  bool full_ = false;
  bool stuck_ = false;
  bool committing_ = false;
  std::vector<entry> batch_, next_batch_;
};

} // namespace brewery::simulated

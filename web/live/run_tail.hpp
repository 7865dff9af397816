#pragma once
/// What a page that follows a run has to know of its log: how many rollouts
/// came, how they were graded, and where each search stood at its barriers.
/// Read once and then extended by what the log got since, a bounded part at a
/// time. Some 60 bytes per rollout. Belongs to one thread at a time.

#include "base/json.hpp"
#include "messages/side_records.hpp"
#include "search/barrier.hpp"
#include "store/event_log.hpp"
#include "store/run_directory.hpp"

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace brewery::web {

class run_tail {
public:
  explicit run_tail(run_directory run) : run_(std::move(run)) {}

  /// Reads at most `events_max` more events. Error: as of the log.
  result<void> extend(std::size_t events_max);

  /// The number of the last event that was read.
  [[nodiscard]] std::uint64_t seen() const { return seen_; }
  /// Whether the log had no more when it was read.
  [[nodiscard]] bool at_end() const { return at_end_; }

  /// What came after event `after`, added up: `from` and `to`, the first and
  /// the last event of it; `rollouts`, `graded` and the sum of their `rewards`;
  /// `points`, where searches stood when their barriers closed; and `latest`,
  /// the last of the rollouts. With a part of the log at a time the parts add
  /// up to the whole, so that nothing is missed or counted twice.
  [[nodiscard]] json since(std::uint64_t after) const;

  [[nodiscard]] const run_directory& run() const { return run_; }

private:
  struct job_grade {
    float reward = 0;
    bool graded = false;
  };
  /// What a result adds to what is known. Of a job that was tried again only
  /// the difference counts.
  struct rollout {
    std::uint64_t event = 0;
    float reward = 0;
    std::int8_t graded = 0;
    bool is_new = true;
  };
  struct point {
    std::uint64_t event = 0;
    json about;
  };
  result<void> add(const event_row& row);
  void add_result(const event_row& row, const job_result& made);
  void add_barrier(const event_row& row, const gather_record& closed);

  run_directory run_;
  std::string stamp_; ///< of the log: whether there can be more
  std::string file_;  ///< the log of which events were seen
  std::uint64_t seen_ = 0;
  bool at_end_ = false;
  std::vector<rollout> rollouts_;
  std::unordered_map<std::size_t, job_grade> grades_; ///< by the job's hash
  std::vector<point> points_;
  std::deque<point> latest_;
  std::map<std::string, gathered_versions> searches_;
  std::map<std::string, double> cost_usd_; ///< by the barrier's key
};

} // namespace brewery::web

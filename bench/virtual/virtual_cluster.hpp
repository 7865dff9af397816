#pragma once
/// The cluster's job table (cluster/table/job_table.hpp) with workers of one
/// slot, on virtual time: for benches whose figures are the same on every
/// machine. No job fails, and none is lost.

#include "base/rng.hpp"
#include "cluster/table/job_table.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <queue>
#include <set>
#include <string>
#include <vector>

namespace brewery {

/// A draw of the standard normal distribution.
inline double normal(rng& draw) {
  const double u = 1 - draw.uniform();
  return std::sqrt(-2 * std::log(u))
         * std::cos(2 * std::numbers::pi * draw.uniform());
}

struct virtual_job {
  std::string id;
  job_kind kind = job_kind::rollout;
  std::string duration_key;
  std::uint32_t stages_after = 0;
  std::vector<std::vector<std::string>> then{};
};

class virtual_cluster {
public:
  explicit virtual_cluster(std::size_t slots) : table_(options(), 1) {
    for (std::size_t i = 0; i < slots; ++i)
      table_.join({fmt::format("w{}", i),
                   fmt::format("w{}#1", i),
                   fmt::format("h{}", i),
                   1,
                   {job_kind::rollout, job_kind::integrate, job_kind::embed},
                   {"*"}},
                  now_);
  }

  void open(const run_id& run) { table_.open_run(run); }

  /// A job that is asked for again is played once, as by the ledger and the job
  /// share; `seconds` is drawn for the first that asks. `done` is told the
  /// job's duration when it has ended, at once if it has.
  void submit(const run_id& run, const virtual_job& job,
              const std::function<double()>& seconds,
              std::function<void(double)> done) {
    if (const auto known = ended_.find(job.id); known != ended_.end())
      return done(known->second);
    const auto [open, first] = open_.try_emplace(job.id);
    open->second.asked.push_back(std::move(done));
    if (!first) return;
    open->second.run = run;
    open->second.seconds = seconds();
    table_.submit(run,
                  {{job.id},
                   {job.kind, ""},
                   job.duration_key,
                   job.stages_after,
                   false,
                   job.then},
                  now_);
  }

  /// Until no job is open.
  void play() {
    while (!open_.empty())
      step();
  }

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(now_).count();
  }
  /// Of leases that delivered a result.
  [[nodiscard]] double busy_seconds() const { return busy_seconds_; }
  [[nodiscard]] std::uint64_t jobs() const { return ended_.size(); }

private:
  struct open_job {
    run_id run;
    double seconds = 0;
    std::vector<std::function<void(double)>> asked;
  };
  struct ending {
    microseconds at, since;
    worker_id worker;
    lease_key key;
    bool operator>(const ending& other) const { return at > other.at; }
  };

  static cluster_options options() {
    cluster_options out;
    out.job_limit = std::chrono::hours{100}; // durations have no limit here
    return out;
  }

  void grant() {
    for (const auto& lease : table_.assign(now_)) {
      const std::chrono::duration<double> takes{
          open_.at(lease.key.job.value).seconds};
      endings_.push({now_ + std::chrono::duration_cast<microseconds>(takes),
                     now_, lease.worker, lease.key});
    }
  }

  /// Goes on to the next event.
  void step() {
    grant();
    if (endings_.empty() || tick_at_ <= endings_.top().at) {
      now_ = tick_at_;
      tick_at_ += std::chrono::milliseconds{250};
      table_.tick(now_);
      return;
    }
    const auto ended = endings_.top();
    endings_.pop();
    if (!table_.holds(ended.worker, ended.key)) return; // a copy was faster
    now_ = ended.at;
    busy_seconds_ +=
        std::chrono::duration<double>(ended.at - ended.since).count();
    table_.finish(ended.worker, ended.key, {}, now_);
    table_.forget(ended.key.run, ended.key.job);
    const auto job = open_.extract(ended.key.job.value);
    ended_.emplace(job.key(), job.mapped().seconds);
    for (const auto& done : job.mapped().asked)
      done(job.mapped().seconds);
  }

  job_table table_;
  std::map<std::string, open_job> open_;
  std::map<std::string, double> ended_; ///< with their durations
  std::priority_queue<ending, std::vector<ending>, std::greater<>> endings_;
  microseconds now_{0}, tick_at_{0};
  double busy_seconds_ = 0;
};

} // namespace brewery

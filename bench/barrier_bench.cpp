// Measures how long the gather barrier waits: the cluster's job table in
// virtual time, 64 workers of one slot, rounds of jobs with lognormal durations
// (sigma 1) and a barrier after each. The table predicts from earlier rounds,
// with an error of sigma 0.5. For comparison, the same table without
// predictions and copies, which is first in, first out.
//
//   build/release/bench/barrier_bench [seeds]
//
// Efficiency is max(sum of durations / workers, longest) / measured; no
// schedule exceeds 1. Clairvoyant: the same with the durations without stalls,
// divided by what was measured with stalls.

#include "base/rng.hpp"
#include "bench/repetitions.hpp"
#include "cluster/table/job_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <numeric>
#include <queue>
#include <string>

namespace {

using namespace brewery;
using namespace std::chrono_literals;

constexpr std::size_t workers = 64;
constexpr int rounds = 8, rounds_learned_from = 4;
/// Sigma of a task's mean and of its attempts: together 1; the table's error is
/// 0.5.
constexpr double sigma_task = 0.89, sigma_attempt = 0.46;
constexpr double typical_seconds = 20, stall_factor = 8;
const run_id the_run{"bench"};

double normal(rng& draw) {
  const double u = 1 - draw.uniform();
  return std::sqrt(-2 * std::log(u))
         * std::cos(2 * std::numbers::pi * draw.uniform());
}

struct setting {
  std::size_t jobs_per_worker = 1;
  double stall_share = 0;
  bool predict = true;
  bool backups = true;
};

/// Sums over barriers; divided by their number for means.
struct score {
  double efficiency = 0, clairvoyant = 0, utilisation = 0;
  std::uint64_t barriers = 0, jobs = 0, copies = 0;
};

class virtual_cluster {
public:
  virtual_cluster(const setting& with, std::uint64_t seed)
      : with_(with), draw_(rng_key(seed, "barrier")),
        table_(options_of(with), 1), tasks_(with.jobs_per_worker * workers) {
    table_.open_run(the_run);
    for (std::size_t i = 0; i < workers; ++i)
      table_.join({fmt::format("w{}", i),
                   fmt::format("w{}#1", i),
                   fmt::format("h{}", i),
                   1,
                   {job_kind::rollout},
                   {"*"}},
                  now_);
    for (auto& task : tasks_)
      task = typical_seconds * std::exp(sigma_task * normal(draw_));
  }

  void run_round(int round, score& out) {
    std::vector<double> seconds;
    for (const double task : tasks_)
      seconds.push_back(task * std::exp(sigma_attempt * normal(draw_)));
    open_ = seconds.size();
    spent_ = 0;
    longest_ = 0;
    const auto began = now_;
    const auto copies = table_.counts().backups;
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      // A new key each time, so that nothing is known about it.
      const auto duration_key = with_.predict ? fmt::format("t{}", i)
                                              : fmt::format("r{}t{}", round, i);
      table_.submit(the_run,
                    {{fmt::format("{}-{}", round, i)},
                     {job_kind::rollout, ""},
                     duration_key},
                    now_);
    }
    while (open_ > 0)
      step(seconds);
    if (round < rounds_learned_from) return;
    const double measured = std::chrono::duration<double>(now_ - began).count();
    const auto bound = [](double sum, double longest) {
      return std::max(sum / workers, longest);
    };
    out.efficiency += bound(spent_, longest_) / measured;
    out.utilisation += spent_ / (workers * measured);
    out.clairvoyant +=
        bound(std::accumulate(seconds.begin(), seconds.end(), 0.0),
              *std::max_element(seconds.begin(), seconds.end()))
        / measured;
    ++out.barriers;
    out.jobs += seconds.size();
    out.copies += table_.counts().backups - copies;
  }

private:
  struct ending {
    microseconds at;
    microseconds since;
    worker_id worker;
    lease_key key;
    bool operator>(const ending& other) const { return at > other.at; }
  };

  static cluster_options options_of(const setting& with) {
    cluster_options out;
    out.backups = with.backups;
    out.job_limit = 100h; // durations have no limit here
    return out;
  }

  void grant(const std::vector<double>& seconds) {
    for (const auto& lease : table_.assign(now_)) {
      const auto& name = lease.key.job.value;
      double takes = seconds.at(std::stoul(name.substr(name.find('-') + 1)));
      // A stall is of the machine, not of the job: a copy elsewhere draws
      // again.
      if (draw_.uniform() < with_.stall_share) takes *= stall_factor;
      endings_.push({now_
                         + std::chrono::duration_cast<microseconds>(
                             std::chrono::duration<double>(takes)),
                     now_, lease.worker, lease.key});
    }
  }

  void step(const std::vector<double>& seconds) {
    grant(seconds);
    const auto next = endings_.empty() ? tick_at_ : endings_.top().at;
    if (tick_at_ <= next) {
      now_ = tick_at_;
      tick_at_ += 250ms;
      table_.tick(now_);
      return;
    }
    const auto done = endings_.top();
    endings_.pop();
    if (!table_.holds(done.worker, done.key)) return; // a copy was faster
    now_ = done.at;
    const double took =
        std::chrono::duration<double>(done.at - done.since).count();
    spent_ += took;
    longest_ = std::max(longest_, took);
    table_.finish(done.worker, done.key, {}, now_);
    table_.forget(the_run, done.key.job);
    --open_;
  }

  setting with_;
  rng draw_;
  job_table table_;
  std::vector<double> tasks_;
  std::priority_queue<ending, std::vector<ending>, std::greater<>> endings_;
  microseconds now_{0}, tick_at_{0};
  std::size_t open_ = 0;
  double spent_ = 0, longest_ = 0; ///< of leases that delivered a result
};

score measure(const setting& with, std::uint64_t seeds) {
  score out;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    virtual_cluster all{with, seed};
    for (int round = 0; round < rounds; ++round)
      all.run_round(round, out);
  }
  const auto n = static_cast<double>(out.barriers);
  out.efficiency /= n;
  out.clairvoyant /= n;
  out.utilisation /= n;
  return out;
}

} // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const std::uint64_t seeds = bench::repetitions(argc, argv, 30);
  fmt::print("{} workers, {} barriers each\n"
             "efficiency            fifo   table   utilisation: fifo, table\n",
             workers, seeds * (rounds - rounds_learned_from));
  for (const std::size_t n : {1, 2, 4, 8}) {
    const auto fifo = measure({n, 0, false, false}, seeds);
    const auto table = measure({n, 0, true, true}, seeds);
    fmt::print("{} jobs a worker      {:.3f}  {:.3f}   {:.2f}, {:.2f}   copies "
               "{:.1f} %\n",
               n, fifo.efficiency, table.efficiency, fifo.utilisation,
               table.utilisation,
               100 * static_cast<double>(table.copies)
                   / static_cast<double>(table.jobs));
  }
  fmt::print("5 % of jobs stalled eightfold\n"
             "clairvoyant           fifo   table   without copies\n");
  for (const std::size_t n : {2, 4, 8}) {
    const auto fifo = measure({n, 0.05, false, false}, seeds);
    const auto table = measure({n, 0.05, true, true}, seeds);
    const auto alone = measure({n, 0.05, true, false}, seeds);
    fmt::print("{} jobs a worker      {:.3f}  {:.3f}   {:.3f}   copies {:.1f} "
               "%\n",
               n, fifo.clairvoyant, table.clairvoyant, alone.clairvoyant,
               100 * static_cast<double>(table.copies)
                   / static_cast<double>(table.jobs));
  }
  return 0;
}

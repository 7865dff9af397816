// How busy a search keeps 64 slots from the first to the last job of one gather
// barrier: the cluster's job table in virtual time, 18 trees that each go
// through the stages of an iteration. A stage of a tree begins when its stage
// before has ended; trees do not wait for each other.
//
//   build/release/bench/width_bench [seeds]
//
// Assumed, in one iteration of a tree:
//   train      12 of 50 tasks; trees share the rollouts of a task
//   embed      1 job of about a second
//   integrate  a job for each candidate
//   evaluate   12 of 24 held-out tasks for each candidate; none is shared
// All durations are lognormal with sigma 1, rollouts and integrations with a
// median of 20 s. The table predicts from earlier iterations, with an error of
// sigma 0.5; the first of them are not counted. Nothing stalls or fails.
//
// Busy is the time of all leases that delivered a result, divided by slots
// times the measured time. No candidate is a duplicate.

#include "base/rng.hpp"
#include "cluster/job_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numbers>
#include <queue>
#include <string>
#include <utility>

namespace {

using namespace brewery;
using namespace std::chrono_literals;

constexpr std::size_t slots = 64, trees = 18;
constexpr std::size_t train_tasks = 50, eval_tasks = 24, tasks_of_tree = 12;
constexpr int iterations = 6, iterations_learned_from = 2;
constexpr double sigma_task = 0.89, sigma_attempt = 0.46; // together 1
constexpr double typical_seconds = 20, embed_seconds = 1;
const run_id the_run{"bench"};

double normal(rng& draw) {
  const double u = 1 - draw.uniform();
  return std::sqrt(-2 * std::log(u))
         * std::cos(2 * std::numbers::pi * draw.uniform());
}

/// What jobs of one task or concept take at the median.
std::vector<double> typical(rng& draw, std::size_t count) {
  std::vector<double> out(count);
  for (auto& each : out)
    each = typical_seconds * std::exp(sigma_task * normal(draw));
  return out;
}

std::vector<std::size_t> some_tasks(rng& draw, std::size_t of) {
  std::vector<std::size_t> out(of);
  for (std::size_t i = 0; i < of; ++i)
    out[i] = i;
  draw.shuffle(out);
  out.resize(tasks_of_tree);
  return out;
}

struct score {
  double busy = 0, least = 1, seconds = 0, best = 0;
  std::uint64_t barriers = 0, jobs = 0;
};

class virtual_search {
public:
  virtual_search(std::size_t candidates, std::uint64_t seed)
      : candidates_(candidates), draw_(rng_key(seed, "width")),
        table_(options(), 1), training_(typical(draw_, train_tasks)),
        evaluating_(typical(draw_, eval_tasks)),
        writing_(typical(draw_, trees)) {
    table_.open_run(the_run);
    for (std::size_t i = 0; i < slots; ++i)
      table_.join({fmt::format("w{}", i),
                   fmt::format("w{}#1", i),
                   fmt::format("h{}", i),
                   1,
                   {job_kind::rollout, job_kind::integrate, job_kind::embed},
                   {"*"}},
                  now_);
    for (auto& tree : trees_)
      tree = {some_tasks(draw_, train_tasks), some_tasks(draw_, eval_tasks)};
  }

  void iterate(int iteration, score& out) {
    iteration_ = iteration;
    spent_ = 0;
    const auto began = now_;
    std::uint64_t jobs = 0;
    for (auto& tree : trees_)
      tree.chain = 0;
    for (std::size_t k = 0; k < trees; ++k)
      begin(k, stage::train);
    while (!jobs_.empty()) {
      jobs += step();
      BREWERY_ASSERT(jobs < 1'000'000);
    }
    if (iteration < iterations_learned_from) return;
    const double took = std::chrono::duration<double>(now_ - began).count();
    const double busy = spent_ / (slots * took);
    out.busy += busy;
    out.least = std::min(out.least, busy);
    out.seconds += took;
    double chain = 0;
    for (const auto& tree : trees_)
      chain = std::max(chain, tree.chain);
    out.best += spent_ / (slots * std::max(spent_ / slots, chain));
    out.jobs += jobs;
    ++out.barriers;
  }

private:
  enum class stage { train, embed, integrate, evaluate, done };
  struct one_tree {
    std::vector<std::size_t> train, eval;
    stage at = stage::done;
    std::size_t open = 0; ///< jobs of its stage
    double chain = 0;     ///< the longest jobs of its stages so far
    double longest = 0;   ///< of this stage
  };
  struct open_job {
    double seconds = 0;
    std::vector<std::size_t> for_trees;
  };
  struct ending {
    microseconds at, since;
    worker_id worker;
    lease_key key;
    bool operator>(const ending& other) const { return at > other.at; }
  };

  static cluster_options options() {
    cluster_options out;
    out.job_limit = 100h; // durations have no limit here
    return out;
  }

  /// A job that another tree has asked for is shared, as the ledger does it.
  void submit(std::size_t tree, const std::string& id, job_kind kind,
              const std::string& duration_key, double seconds) {
    ++trees_[tree].open;
    auto& job = jobs_[id];
    job.for_trees.push_back(tree);
    const bool first = job.for_trees.size() == 1;
    if (first) job.seconds = seconds * std::exp(sigma_attempt * normal(draw_));
    auto& longest = trees_[tree].longest;
    longest = std::max(longest, job.seconds);
    if (!first) return;
    // As in cluster/job_spec.hpp.
    const auto urgency = trees_[tree].at == stage::evaluate
                             ? job_urgency::none
                             : job_urgency::next_stage;
    table_.submit(the_run, {{id}, {kind, ""}, duration_key, urgency}, now_);
  }

  void begin(std::size_t k, stage next) {
    auto& tree = trees_[k];
    tree.at = next;
    tree.chain += std::exchange(tree.longest, 0);
    if (next == stage::train)
      for (const auto task : tree.train)
        submit(k, fmt::format("{} train {}", iteration_, task),
               job_kind::rollout, fmt::format("train{}", task),
               training_[task]);
    if (next == stage::embed)
      submit(k, fmt::format("{} embed {}", iteration_, k), job_kind::embed, "",
             embed_seconds * std::exp(sigma_task * normal(draw_)));
    for (std::size_t j = 0; j < candidates_; ++j) {
      const auto name = fmt::format("{} {} {}", iteration_, k, j);
      if (next == stage::integrate)
        submit(k, name, job_kind::integrate, std::to_string(k), writing_[k]);
      if (next == stage::evaluate)
        for (const auto task : tree.eval)
          submit(k, fmt::format("{} {}", name, task), job_kind::rollout,
                 fmt::format("eval{}", task), evaluating_[task]);
    }
  }

  void grant() {
    for (const auto& lease : table_.assign(now_)) {
      const std::chrono::duration<double> takes{
          jobs_.at(lease.key.job.value).seconds};
      endings_.push({now_ + std::chrono::duration_cast<microseconds>(takes),
                     now_, lease.worker, lease.key});
    }
  }

  /// Goes on to the next event. The number of jobs that ended with it.
  std::uint64_t step() {
    grant();
    if (endings_.empty() || tick_at_ <= endings_.top().at) {
      now_ = tick_at_;
      tick_at_ += 250ms;
      table_.tick(now_);
      return 0;
    }
    const auto done = endings_.top();
    endings_.pop();
    if (!table_.holds(done.worker, done.key)) return 0; // a copy was faster
    now_ = done.at;
    spent_ += std::chrono::duration<double>(done.at - done.since).count();
    table_.finish(done.worker, done.key, {}, now_);
    table_.forget(the_run, done.key.job);
    const auto job = jobs_.extract(done.key.job.value);
    for (const auto k : job.mapped().for_trees)
      if (--trees_[k].open == 0 && trees_[k].at != stage::done)
        begin(k, static_cast<stage>(static_cast<int>(trees_[k].at) + 1));
    return 1;
  }

  std::size_t candidates_;
  rng draw_;
  job_table table_;
  std::vector<double> training_, evaluating_, writing_;
  std::vector<one_tree> trees_{trees};
  std::map<std::string, open_job> jobs_;
  std::priority_queue<ending, std::vector<ending>, std::greater<>> endings_;
  microseconds now_{0}, tick_at_{0};
  int iteration_ = 0;
  double spent_ = 0; ///< of leases that delivered a result
};

void report(const char* name, std::size_t candidates, std::uint64_t seeds) {
  score out;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    virtual_search search{candidates, seed};
    for (int i = 0; i < iterations; ++i)
      search.iterate(i, out);
  }
  const auto n = static_cast<double>(out.barriers);
  fmt::print("{:<34} {:>6.0f}   {:.3f}   {:.3f}     {:.3f}   {:>6.0f} s\n",
             name, static_cast<double>(out.jobs) / n, out.busy / n, out.least,
             out.best / n, out.seconds / n);
}

} // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const std::uint64_t seeds = argc > 1 ? std::stoull(argv[1]) : 60;
  fmt::print(
      "{} trees, {} slots, {} barriers each\n"
      "iteration of a tree                  jobs    busy   least   at best   "
      "barrier\n",
      trees, slots, seeds * (iterations - iterations_learned_from));
  report("3 candidates", 3, seeds);
  report("3 expansions of 3", 9, seeds);
  report("width 10: 10 candidates", 10, seeds);
  report("3 expansions of width 10", 30, seeds);
  return 0;
}

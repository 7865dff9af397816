// How busy a whole sweep keeps 64 slots, from its first job to its last: 3
// points with 5 seeds on the cluster's job table, in virtual time, beside the
// same runs one after another that share nothing.
//
//   build/release/bench/sweep_width_bench [repetitions]
//
// Assumed of a run:
//   4 first rollouts of 50 tasks, then 18 first documents, each scored on 12
//   held-out tasks: all that is one job for the points of a seed; 10 iterations
//   with 3 candidates (bench/virtual/virtual_search.hpp), of which points share
//   nothing; then 4 attempts of 40 test tasks with and without documents, the
//   latter shared.
//
// Busy is the time of all leases that delivered a result, divided by slots
// times the measured time. Durations are lognormal, sigma 1.

#include "bench/repetitions.hpp"
#include "bench/virtual/virtual_search.hpp"

#include <cstdio>
#include <deque>

namespace {

using namespace brewery;

constexpr std::size_t slots = 64, points = 3, seeds = 5;
constexpr std::size_t first_trials = 4, test_tasks = 40, test_trials = 4;
constexpr std::size_t candidates = 3;
constexpr int iterations = 10;

/// One run of the sweep, from its first rollouts to its final test.
class virtual_run {
public:
  /// `of_seed` begins the ids of what the points of a seed have in common.
  virtual_run(virtual_cluster& on, const std::string& name, std::string of_seed,
              const virtual_durations& durations,
              const std::vector<double>& test, rng draw,
              std::function<void()> ended)
      : search_(on, {name}, name, durations, {candidates}, draw), name_(name),
        of_seed_(std::move(of_seed)), durations_(durations), test_(test),
        ended_(std::move(ended)) {
    on.open({name});
  }

  void begin() {
    stage([this] { write_roots(); },
          [this] {
            for (std::size_t t = 0; t < durations_.train.size(); ++t)
              for (std::size_t i = 0; i < first_trials; ++i)
                rollout(fmt::format("{} first {} {}", of_seed_, t, i),
                        fmt::format("train{}", t), durations_.train[t], 3);
          });
  }

private:
  /// `then` when all that `ask` asks for has ended.
  void stage(std::function<void()> then, const std::function<void()>& ask) {
    then_ = std::move(then);
    open_ = 1; // until all is asked for
    ask();
    ended_one();
  }
  void ended_one() {
    if (--open_ > 0) return;
    const auto then = std::move(then_);
    then();
  }
  void rollout(const std::string& id, const std::string& key, double median,
               std::uint32_t stages_after) {
    job(id, job_kind::rollout, key, median, stages_after);
  }
  void job(const std::string& id, job_kind kind, const std::string& key,
           double median, std::uint32_t stages_after) {
    ++open_;
    search_.submit({id, kind, key, stages_after}, median,
                   [this](double) { ended_one(); });
  }

  void write_roots() {
    stage([this] { score_roots(); },
          [this] {
            for (std::size_t k = 0; k < virtual_trees; ++k)
              job(fmt::format("{} root {}", of_seed_, k), job_kind::integrate,
                  std::to_string(k), durations_.writing[k], 1);
          });
  }

  void score_roots() {
    stage([this] { iterate(iterations); },
          [this] {
            for (std::size_t k = 0; k < virtual_trees; ++k)
              for (std::size_t i = 0; i < tasks_of_tree; ++i) {
                const auto t = (k + i) % durations_.held_out.size();
                rollout(fmt::format("{} root {} {}", of_seed_, k, t),
                        fmt::format("eval{}", t), durations_.held_out[t], 0);
              }
          });
  }

  void iterate(int left) {
    if (left == 0) return test();
    search_.iterate([this, left] { iterate(left - 1); });
  }

  void test() {
    stage(ended_, [this] {
      for (const auto& arm : {of_seed_, name_})
        for (std::size_t t = 0; t < test_tasks; ++t)
          for (std::size_t i = 0; i < test_trials; ++i)
            rollout(fmt::format("{} test {} {}", arm, t, i),
                    fmt::format("test{}", t), test_[t], 0);
    });
  }

  virtual_search search_;
  const std::string name_, of_seed_;
  const virtual_durations& durations_;
  const std::vector<double>& test_;
  std::function<void()> ended_;
  std::function<void()> then_;
  std::size_t open_ = 0;
};

struct figures {
  double busy = 0, least = 1, hours = 0, jobs = 0;
};

/// Plays all runs, so many side by side.
void add_sweep(std::size_t at_once, bool share, std::uint64_t repetition,
               figures& out) {
  rng draw{rng_key(repetition, "sweep")};
  const virtual_durations durations{draw};
  const auto test = virtual_durations::typical(draw, test_tasks);
  virtual_cluster cluster{slots};
  std::deque<virtual_run> runs;
  std::size_t next = 0;
  const std::function<void()> begin_next = [&] {
    if (next < runs.size()) runs[next++].begin();
  };
  for (std::size_t seed = 0; seed < seeds; ++seed)
    for (std::size_t point = 0; point < points; ++point) {
      const auto name = fmt::format("p{} s{}", point, seed);
      runs.emplace_back(
          cluster, name, share ? fmt::format("s{}", seed) : name + " own",
          durations, test, rng{rng_key(repetition, name)}, begin_next);
    }
  for (std::size_t i = 0; i < at_once; ++i)
    begin_next();
  cluster.play();
  const double busy = cluster.busy_seconds() / (slots * cluster.seconds());
  out.busy += busy;
  out.least = std::min(out.least, busy);
  out.hours += cluster.seconds() / 3600;
  out.jobs += static_cast<double>(cluster.jobs());
}

figures report(const char* name, std::size_t at_once, bool share,
               std::uint64_t repetitions, const figures* alone) {
  figures out;
  for (std::uint64_t i = 0; i < repetitions; ++i)
    add_sweep(at_once, share, i, out);
  const auto n = static_cast<double>(repetitions);
  out.busy /= n;
  out.hours /= n;
  out.jobs /= n;
  fmt::print("{:<26} {:>8.0f}   {:.3f}   {:.3f}   {:>6.2f} h   {:>5.1f} %\n",
             name, out.jobs, out.busy, out.least, out.hours,
             100 * out.hours / (alone ? alone->hours : out.hours));
  return out;
}

} // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const std::uint64_t repetitions = bench::repetitions(argc, argv, 10);
  fmt::print("{} points, {} seeds, {} slots, {} repetitions\n"
             "sweep                          jobs    busy   least       time   "
             "of alone\n",
             points, seeds, slots, repetitions);
  const auto alone =
      report("alone, one by one", 1, false, repetitions, nullptr);
  report("at_once = 1", 1, true, repetitions, &alone);
  report("at_once = 3", 3, true, repetitions, &alone);
  report("at_once = 15", points * seeds, true, repetitions, &alone);
  return 0;
}

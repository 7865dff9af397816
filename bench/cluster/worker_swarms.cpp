#include "bench/cluster/cluster_fixture.hpp"
#include "bench/cluster/process.hpp"
#include "bench/cluster/scenarios.hpp"
#include "bench/cluster/worker_swarm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sys/resource.h>
#include <thread>

namespace brewery::bench {

namespace {

constexpr std::size_t swarm_processes = 4;

std::vector<child> start_swarm(const cluster_fixture& at, std::size_t workers,
                               const std::string& arrivals, std::size_t jobs,
                               bool realtime) {
  std::vector<child> out;
  for (std::size_t i = 0; i < swarm_processes; ++i) {
    const auto first = workers * i / swarm_processes;
    const auto end = workers * (i + 1) / swarm_processes;
    out.emplace_back(std::vector<std::string>{
        own_program().string(), "swarm-member", at.endpoint(),
        std::to_string(first), std::to_string(end - first), arrivals,
        std::to_string(jobs), realtime ? "realtime" : ""});
  }
  return out;
}

/// Processes that compute all the time, beside the cluster.
std::vector<child> start_busy(std::size_t processes) {
  std::vector<child> out;
  for (std::size_t i = 0; i < processes; ++i)
    out.emplace_back(std::vector<std::string>{own_program().string(), "busy"});
  return out;
}

double quantile(const std::vector<double>& sorted, double share) {
  return sorted.at(
      static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1)));
}

} // namespace

void measure_dispatch(const dispatch_load& with) {
  const auto& [workers, jobs, busy, realtime, realtime_workers] = with;
  const auto named = [](bool in_realtime) {
    return in_realtime ? "in real time" : "ordinary";
  };
  constexpr std::chrono::microseconds every{1000};
  fmt::print(
      "dispatch to {} connected workers, {} jobs, one each {} us, beside "
      "{} busy processes; niceness of the cluster {}, coordinator {}, workers "
      "{}\n",
      workers, jobs, every.count(), busy, ::getpriority(PRIO_PROCESS, 0),
      named(realtime), named(realtime_workers));
  const cluster_fixture at{false, realtime};
  const auto file = at.folder() / "arrivals";
  arrival_table arrivals{file, jobs};
  const auto worker_swarm =
      start_swarm(at, workers, file.string(), jobs, realtime_workers);
  at.wait_for_workers(workers);
  const auto neighbours = start_busy(busy);
  std::vector<std::int64_t> asked(jobs);
  auto feed = at.new_feed();
  feed.jobs = jobs;
  feed.every = every;
  feed.on_ask = [&](std::uint64_t number) {
    asked[number] =
        bench_clock::now().time_since_epoch() / std::chrono::nanoseconds{1};
  };
  run_feed(at.system(), feed);
  std::vector<double> waits_us;
  for (std::size_t job = jobs / 10; job < jobs; ++job) // the first ones warm up
    waits_us.push_back(static_cast<double>(arrivals.of(job) - asked[job])
                       * 1e-3);
  std::sort(waits_us.begin(), waits_us.end());
  fmt::print("  p50 {:.0f} us (goal: 100), p90 {:.0f} us, p99 {:.0f} us (goal: "
             "1000), worst {:.0f} us\n",
             quantile(waits_us, 0.5), quantile(waits_us, 0.9),
             quantile(waits_us, 0.99), waits_us.back());
}

void measure_idle(std::size_t workers, double seconds) {
  fmt::print("{} idle workers\n", workers);
  const cluster_fixture at{false};
  const auto before = resident_bytes();
  const auto began = bench_clock::now();
  const auto worker_swarm = start_swarm(at, workers, "", 0, false);
  at.wait_for_workers(workers);
  fmt::print("  all connected after {:.2f} s (goal: 10)\n",
             seconds_since(began));
  std::this_thread::sleep_for(std::chrono::seconds{5});
  const auto spent = cpu_seconds();
  const auto watched = bench_clock::now();
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  const auto load = (cpu_seconds() - spent) / seconds_since(watched);
  const auto each =
      (resident_bytes() - before) / static_cast<double>(workers) / 1024;
  fmt::print("  {:.1f} KiB each (goal: 64), {:.1f} % of a core (goal: 5), {} "
             "still connected\n",
             each, load * 100, at.status()->workers.size());
}

} // namespace brewery::bench

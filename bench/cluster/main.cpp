/// Measures the cluster's own costs, each beside its goal and, if there is one,
/// its baseline from the same run. Without an argument: everything, each in its
/// own process, so that none inherits another's memory.
///
///   cluster_bench [throughput|dispatch|idle|memory] [options]
///
/// `cluster_bench recorded` measures nothing: it is the workers of
/// bench/long_run.py --recorded.

#include "bench/cluster/echo.hpp"
#include "bench/cluster/process.hpp"
#include "bench/cluster/scenarios.hpp"
#include "bench/cluster/worker_swarm.hpp"
#include "process/realtime.hpp"

#include <CLI/CLI.hpp>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <cstdlib>
#include <sys/resource.h>

using namespace brewery::bench;

namespace {

int run_children(const std::string& program) {
  for (const auto* what : {"throughput", "dispatch", "idle", "memory"})
    if (const int code = std::system(("'" + program + "' " + what).c_str()))
      return code;
  return 0;
}

[[noreturn]] void stay_busy() {
  // The cluster alone keeps a priority that the benchmark was started with.
  ::setpriority(PRIO_PROCESS, 0, 0);
  for (volatile bool on = true; on;) {
  }
  std::abort(); // not reached: the parent kills it
}

/// Runs as a child that this program started: PROGRAM KIND ARGUMENT...
void be_a_child(const std::vector<std::string>& words) {
  const auto number = [&](std::size_t i) -> std::size_t {
    return std::stoul(words.at(i));
  };
  if (words.at(1) == "echo-worker") echo_worker(words.at(2), number(3));
  if (words.at(1) == "busy") stay_busy();
  if (words.at(1) != "swarm-member") return;
  std::unique_ptr<arrival_table> arrivals;
  if (!words.at(5).empty())
    arrivals = std::make_unique<arrival_table>(words.at(5), number(6));
  swarm_options options;
  options.endpoint = words.at(2);
  options.first = number(3);
  options.workers = number(4);
  options.realtime = !words.at(7).empty();
  answer_nothing(std::move(options), arrivals.get());
}

int run(int argc, char** argv) {
  CLI::App app{"What the cluster itself costs."};
  app.require_subcommand(0, 1);
  load with;
  dispatch_load dispatches;
  std::size_t idle = 4000;
  double seconds = 20;
  const auto load_options = [&](CLI::App* scenario) {
    scenario->add_option("--workers", with.workers)->capture_default_str();
    scenario->add_option("--slots", with.slots)->capture_default_str();
    scenario->add_option("--jobs", with.jobs);
  };
  auto* throughput = app.add_subcommand("throughput", "No-op jobs per second.");
  load_options(throughput);
  throughput->add_option("--rounds", with.rounds)->capture_default_str();
  throughput->add_flag("--dask,!--no-dask", with.dask, "Dask beside it.");
  auto* dispatch = app.add_subcommand("dispatch", "Dispatch latency.");
  dispatch->add_option("--workers", dispatches.workers)->capture_default_str();
  dispatch->add_option("--jobs", dispatches.jobs)->capture_default_str();
  dispatch->add_option("--busy", dispatches.busy,
                       "Processes beside it that compute all the time.");
  dispatch->add_flag("--realtime", dispatches.realtime,
                     "As `brewery coordinator` has it.");
  dispatch->add_flag("--realtime-workers", dispatches.realtime_workers,
                     "As `brewery worker --realtime`.");
  auto* idling = app.add_subcommand("idle", "Workers without work.");
  idling->add_option("--workers", idle)->capture_default_str();
  idling->add_option("--seconds", seconds)->capture_default_str();
  auto* memory = app.add_subcommand("memory", "Memory over many jobs.");
  load_options(memory);
  swarm_options workers;
  std::vector<std::string> environments;
  std::string recorded_run;
  auto* recorded = app.add_subcommand(
      "recorded", "Workers that answer from the log of an equal run.");
  recorded->add_option("--connect", workers.endpoint)->required();
  recorded->add_option("--run", recorded_run, "Its directory.")->required();
  recorded->add_option("--env", environments)->required();
  recorded->add_option("--workers", workers.workers)->capture_default_str();
  recorded->add_option("--slots", workers.profile.slots)->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  if (*recorded)
    answer_from_log(std::move(workers), environments, recorded_run);
  if (*throughput) measure_throughput(with);
  if (*dispatch) {
    if (dispatches.realtime || dispatches.realtime_workers)
      if (const auto ok = brewery::check_realtime(); !ok)
        stop(ok.error().message);
    measure_dispatch(dispatches);
  }
  if (*idling) measure_idle(idle, seconds);
  if (*memory) {
    if (memory->count("--jobs") == 0) with.jobs = 1'000'000;
    measure_memory(with);
  }
  if (app.get_subcommands().empty()) return run_children(own_program());
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  try {
    if (argc > 1) be_a_child({argv, argv + argc});
    spdlog::set_level(spdlog::level::warn); // no line for each worker
    return run(argc, argv);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "cluster_bench: %s\n", failure.what());
    return 1;
  }
}

/// `brewery sim`.

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/json_line.hpp"
#include "cli/sim/scale_command.hpp"
#include "cli/terminal.hpp"
#include "run/interrupt.hpp"
#include "sim/cluster_sim.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>

namespace brewery {

namespace {

constexpr const char* sim_footer =
    "Runs the cluster's code (pool, ledger, both ends of the protocol, phase "
    "machine) on a\nsimulated clock, network and disk with injected failures, "
    "and checks after every step that no\nresult is lost or counted twice. The "
    "seed determines everything. Prints the first seed that\nviolates an "
    "invariant, with exit code 1; --trace shows the faults of that "
    "seed.\n\nWith --workers or --slots: no failures, but what a cluster of "
    "that size asks of its\ncoordinator, and what bends first "
    "(docs/scale.md).\n\nExamples:\n  brewery sim --seeds 10000\n  brewery "
    "sim --seed 4711 --trace\n  brewery sim --workers 1000 --slots 10";

struct sim_arguments {
  std::uint64_t seed = 0;
  std::uint64_t seeds = 1;
  bool trace = false;
  bool json = false;
};

int sim_command(const sim_arguments& arguments) {
  interrupt_watch::block_signals();
  using namespace simulated;
  sim_report sum;
  std::atomic<std::uint64_t> done{0};
  const auto began = std::chrono::steady_clock::now();
  const auto spent = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now()
                                         - began)
        .count();
  };
  {
    std::atomic<bool> stop{false};
    interrupt_watch watch{[&] { stop = true; },
                          [&] {
                            if (!isatty(2) || done == 0) return;
                            const auto left =
                                spent() / static_cast<double>(done)
                                * static_cast<double>(arguments.seeds - done);
                            fmt::print(stderr,
                                       "\r\033[K{} of {} seeds, about {:.0f} "
                                       "s left",
                                       done.load(), arguments.seeds, left);
                          }};
    for (std::uint64_t i = 0; i < arguments.seeds && !stop; ++i, ++done) {
      sim_options options;
      options.seed = arguments.seed + i;
      if (arguments.trace)
        options.trace = [](const std::string& line) {
          std::puts(line.c_str());
        };
      const auto one = simulate_cluster(options);
      if (!one.violation.empty())
        return report(error{
            ec::internal,
            fmt::format("seed {}: {}; replay it: brewery sim --seed {} --trace",
                        options.seed, one.violation, options.seed)});
      sum.events += one.events;
      sum.messages += one.messages;
      sum.faults += one.faults;
      sum.jobs += one.jobs;
      sum.calls += one.calls;
      sum.grades += one.grades;
      sum.adopted += one.adopted;
      sum.stale += one.stale;
      sum.backups += one.backups;
      sum.ahead += one.ahead;
      sum.simulated_seconds += one.simulated_seconds;
    }
    if (isatty(2)) std::fputs("\r\033[K", stderr);
    if (stop) return report(error{ec::cancelled, "stopped"});
  }
  if (arguments.json)
    std::fputs(
        json_line("simulation", {{"seeds", arguments.seeds},
                                 {"violations", 0},
                                 {"faults", sum.faults},
                                 {"messages", sum.messages},
                                 {"jobs", sum.jobs},
                                 {"calls", sum.calls},
                                 {"grades", sum.grades},
                                 {"adopted", sum.adopted},
                                 {"stale", sum.stale},
                                 {"backups", sum.backups},
                                 {"ahead", sum.ahead},
                                 {"simulated_seconds", sum.simulated_seconds},
                                 {"seconds", spent()}})
            .c_str(),
        stdout);
  else
    fmt::print("{}, no violation: {} faults, {} jobs, {} messages, {} "
               "jobs adopted, {} stale\nresults refused, {} backup copies, {} "
               "leases ahead, {} model calls, {} grades;\n{:.0f} simulated "
               "seconds in {:.1f} s\n",
               counted(arguments.seeds, "seed"), sum.faults, sum.jobs,
               sum.messages, sum.adopted, sum.stale, sum.backups, sum.ahead,
               sum.calls, sum.grades, sum.simulated_seconds, spent());
  return exit_ok;
}

} // namespace

void add_sim_command(CLI::App& app, chosen_command& chosen) {
  auto* command = add_command(
      app, "sim", "Simulate a cluster with injected failures.", sim_footer);
  auto arguments = std::make_shared<sim_arguments>();
  command->add_option("--seed", arguments->seed, "The first seed.")
      ->check(seed_number)
      ->capture_default_str();
  auto* seeds =
      command->add_option("--seeds", arguments->seeds, "Number of seeds.")
          ->check(CLI::Range(1, 1'000'000'000))
          ->capture_default_str();
  auto* trace =
      command->add_flag("--trace", arguments->trace,
                        "Print every fault, with its simulated time.");
  command->add_flag("--json", arguments->json, "One JSON line.");
  const auto chosen_scale = add_scale_options(*command, {seeds, trace});
  command->callback([arguments, chosen_scale, &chosen] {
    if (const auto scale = chosen_scale())
      chosen = [=] { return scale(arguments->json); };
    else
      chosen = [=] { return sim_command(*arguments); };
  });
}

} // namespace brewery

#include "cli/sim/scale_command.hpp"

#include "cli/commands.hpp"
#include "cli/json_line.hpp"
#include "cli/terminal.hpp"
#include "run/interrupt.hpp"
#include "sim/scale/scale_sim.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace brewery {

namespace {

using simulated::operation_names;
using simulated::scale_options;
using simulated::scale_report;
using simulated::scale_traffic;

constexpr double mega = 1e6;

void print_rates(const scale_report& made) {
  const auto& full = made.full;
  const auto row = [](const char* what, double rate, const std::string& more) {
    fmt::print("  {:<15} {:>9.0f}/s{}\n", what, rate, more);
  };
  row("jobs", full.per_second(full.jobs), {});
  row("frames in", full.per_second(full.frames_in),
      fmt::format(", {:.1f} MB/s", full.per_second(full.bytes_in) / mega));
  row("frames out", full.per_second(full.frames_out),
      fmt::format(", {:.1f} MB/s", full.per_second(full.bytes_out) / mega));
  row("between actors", full.per_second(full.hops), {});
  row("rows of the log", full.per_second(full.rows),
      fmt::format(", {:.1f} MB/s", full.per_second(full.log_bytes) / mega));
  fmt::print("  {:<15} {:>9.3f} efficiency: a round takes {:.1f} s, at least "
             "{:.1f}; {} copies;\n{:28}its start {:.0f} ms of CPU\n",
             "barrier", made.barrier_efficiency(), made.round_s,
             made.round_bound_s, made.copies, "", made.round_start_s * 1000);
  if (made.memory_bytes > 0)
    fmt::print("  {:<15} {:>9.1f} MB: {:.1f} kB for each worker, {:.1f} kB for "
               "each job under way\n",
               "memory", made.memory_bytes / mega, made.bytes_per_worker / 1000,
               made.bytes_per_job / 1000);
}

void print_costs(const scale_traffic& full) {
  fmt::print("\n  measured          calls/s   us each  longest ms     cores\n");
  for (std::size_t i = 0; i < operation_names.size(); ++i) {
    const auto& cost = full.costs.of(static_cast<simulated::operation>(i));
    if (cost.calls == 0) continue;
    fmt::print("  {:<15} {:>9.0f} {:>9.2f} {:>11.2f} {:>9.4f}\n",
               operation_names[i], full.per_second(cost.calls),
               cost.seconds / static_cast<double>(cost.calls) * mega,
               cost.longest_s * 1000, cost.seconds / full.seconds);
  }
}

void print_loads(const scale_report& made, const scale_options& asked) {
  const auto& prices = asked.prices;
  fmt::print(
      "\n  Not simulated, so priced in us: frame {}, encryption {} and {} "
      "a kB, message\n  between actors {}, row in SQLite {}, search {} a "
      "result (options; docs/scale.md\n  says how they were measured).\n\n",
      prices.frame_us, prices.curve_us, prices.curve_kb_us, prices.hop_us,
      prices.row_us, prices.search_us);
  for (const auto& load : made.loads)
    fmt::print("  {:<15} {:>9.1f} % of {}\n", load.what, load.share * 100,
               load.of);
  fmt::print("\n{} bends first. One core and {} GB carry about {:.0f} slots.\n",
             made.loads.front().what, asked.memory_gb, made.slots_carried);
}

void print_json(const scale_report& made) {
  std::map<std::string, double> shares;
  for (const auto& load : made.loads)
    shares[load.what] = load.share;
  const auto& full = made.full;
  std::fputs(
      json_line("scale", {{"slots", made.slots},
                          {"seconds", full.seconds},
                          {"jobs", full.jobs},
                          {"frames_in", full.frames_in},
                          {"frames_out", full.frames_out},
                          {"actor_messages", full.hops},
                          {"log_rows", full.rows},
                          {"log_bytes", full.log_bytes},
                          {"barrier_efficiency", made.barrier_efficiency()},
                          {"memory_bytes", made.memory_bytes},
                          {"shares", shares},
                          {"slots_carried", made.slots_carried}})
          .c_str(),
      stdout);
}

int scale_command(const scale_options& options, bool as_json) {
  interrupt_watch::block_signals();
  std::atomic<bool> stop{false};
  scale_report made;
  {
    interrupt_watch watch{[&] { stop = true; }, [] {}};
    made = simulated::simulate_scale(options, [&] { return stop.load(); });
  }
  if (stop || made.stopped) return report(error{ec::cancelled, "stopped"});
  if (as_json) {
    print_json(made);
    return exit_ok;
  }
  fmt::print("{} workers of {} slots: {} slots. Jobs: lognormal, mean {} s, "
             "sigma {}, results of {} kB;\n{} for each slot before a barrier. "
             "Network: {} ms and up to some times {} ms.\n\n",
             options.workers, options.slots, made.slots, options.mean_s,
             options.sigma, options.result_kb, options.jobs_per_slot,
             options.latency_ms, options.jitter_ms);
  print_rates(made);
  print_costs(made.full);
  print_loads(made, options);
  return exit_ok;
}

} // namespace

std::function<std::function<int(bool as_json)>()>
add_scale_options(CLI::App& command, const std::vector<CLI::Option*>& without) {
  auto with = std::make_shared<scale_options>();
  auto& prices = with->prices;
  constexpr std::size_t most_workers = 1'000'000;
  auto* workers = command.add_option(
      "--workers", with->workers,
      "Measure how far a coordinator reaches with so many workers, without "
      "failures.");
  workers->check(CLI::Range(std::size_t{1}, most_workers));
  auto* slots = command.add_option("--slots", with->slots, "Of each worker.");
  slots->check(CLI::Range(1, 4096));
  constexpr const char* group = "With --workers or --slots";
  auto own = std::make_shared<std::vector<CLI::Option*>>();
  const auto number = [&](const char* name, double& where, double least,
                          double most, const char* what) {
    own->push_back(command.add_option(name, where, what)
                       ->capture_default_str()
                       ->check(number_from(least, most))
                       ->group(group));
  };
  const auto count = [&](const char* name, std::size_t& where,
                         std::size_t least, std::size_t most,
                         const char* what) {
    own->push_back(command.add_option(name, where, what)
                       ->capture_default_str()
                       ->check(CLI::Range(least, most))
                       ->group(group));
  };
  constexpr std::size_t most_jobs = 1'000'000, most_kb = 65'536;
  constexpr double least = 0.001, most = 1e6, most_sigma = 5;
  count("--jobs-per-slot", with->jobs_per_slot, 1, most_jobs,
        "Before each barrier.");
  count("--result-kb", with->result_kb, 0, most_kb, "Size of a result.");
  number("--seconds", with->seconds, least, most, "Measured, of full load.");
  number("--job-s", with->mean_s, least, most,
         "Mean duration of a job; lognormal.");
  number("--sigma", with->sigma, 0, most_sigma,
         "Of the logarithm of durations.");
  number("--latency-ms", with->latency_ms, 0, most, "Of the network.");
  number("--jitter-ms", with->jitter_ms, 0, most, "Exponential, its mean.");
  number("--commit-ms", with->commit_ms, 0, most,
         "Duration of a commit of the log.");
  number("--memory-gb", with->memory_gb, least, most,
         "What the coordinator may use.");
  number("--frame-us", prices.frame_us, 0, most,
         "CPU of a frame: ZeroMQ and gateway.");
  number("--curve-us", prices.curve_us, 0, most,
         "CPU of a frame's encryption.");
  number("--curve-kb-us", prices.curve_kb_us, 0, most, "And of each kB of it.");
  number("--hop-us", prices.hop_us, 0, most,
         "CPU of a message between actors.");
  number("--row-us", prices.row_us, 0, most, "CPU of a row in SQLite.");
  number("--search-us", prices.search_us, 0, most,
         "CPU that phases and trees need for a result.");
  return [with, workers, slots, own,
          failures = without]() -> std::function<int(bool)> {
    const bool is_scale = !workers->empty() || !slots->empty();
    for (const auto* one : is_scale ? failures : *own)
      if (!one->empty())
        throw CLI::ValidationError(
            one->get_name(),
            is_scale ? "there are no failures with --workers or --slots"
                     : "only with --workers or --slots");
    if (!is_scale) return {};
    return [with](bool as_json) { return scale_command(*with, as_json); };
  };
}

} // namespace brewery

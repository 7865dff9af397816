/// `brewery cluster up`, `status` and `down`.

#include "cli/cluster_up/cluster_status.hpp"
#include "cli/cluster_up/cluster_up.hpp"
#include "cli/json_line.hpp"
#include "cli/terminal.hpp"
#include "net/endpoint.hpp"
#include "run/interrupt.hpp"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

namespace brewery {

namespace {

constexpr const char* up_footer =
    "The options of `brewery worker` follow after --; a key is named by the "
    "path of its file there. The\ncommand can be given again: it starts what "
    "is missing and ends what is too much, and what is not\ngiven stays as it "
    "was. Workers end by SIGTERM and hand back what they do not finish within "
    "their\n--grace. Each writes NAME-ID.log in --dir. Writes the array down "
    "in "
    "~/.local/state/brewery/clusters.\nWith --max it stays and scales until "
    "Ctrl-C, which leaves the workers as they are; with --once, for\ncron, it "
    "looks once.\n\nExamples:\n  brewery cluster up --on slurm --workers 8 -- "
    "--env toy --slots 2\n  brewery cluster up --on slurm --option "
    "--partition=cpu --workers 2 --max 40 -- --env toy\n  brewery cluster up "
    "--on ray --option num_cpus=2 --workers 8 -- --env toy --slots 2\n  "
    "brewery cluster up --on ssh --host a --host b --workers 4 -- --env toy\n  "
    "brewery cluster up --on k8s --workers 20\n  brewery cluster up --workers "
    "12";

constexpr auto look_every = std::chrono::seconds{15};

void show(const cluster_up_arguments& arguments, const up_pass& pass) {
  const auto started = pass.change.start.size(),
             stopped = pass.change.stop.size();
  const auto text = fmt::format(
      "{} on {}: {} wanted, {} there; {} started, {} told to end\n",
      arguments.name, pass.engine, pass.wanted, pass.were, started, stopped);
  std::fputs(arguments.json ? json_line("cluster", {{"name", arguments.name},
                                                    {"engine", pass.engine},
                                                    {"wanted", pass.wanted},
                                                    {"there", pass.were},
                                                    {"started", started},
                                                    {"ended", stopped}})
                                  .c_str()
                            : text.c_str(),
             stdout);
  std::fflush(stdout);
}

/// Looks again and again until Ctrl-C or `cluster down`. What fails now may
/// work later: the coordinator restarts, the engine is busy.
int keep_scaling(const cluster_up_arguments& arguments) {
  std::atomic<bool> stop{false};
  interrupt_watch watch{[&] { stop = true; }, [] {}};
  for (;;) {
    const auto next = std::chrono::steady_clock::now() + look_every;
    while (!stop && std::chrono::steady_clock::now() < next)
      std::this_thread::sleep_for(std::chrono::milliseconds{100});
    if (stop) return exit_ok;
    const auto pass = bring_up(arguments, true);
    if (!pass && pass.error().code == ec::cancelled) return exit_ok;
    if (!pass)
      report(pass.error());
    else if (!pass->change.start.empty() || !pass->change.stop.empty())
      show(arguments, *pass);
  }
}

int up_command(cluster_up_arguments& arguments) {
  if (arguments.most > 0 && !arguments.once) interrupt_watch::block_signals();
  if (arguments.once && arguments.most == 0)
    return report(error{ec::invalid_argument, "--once needs --max"});
  if (arguments.most > 0 && arguments.most < arguments.workers)
    return report(error{ec::invalid_argument,
                        fmt::format("--max {} is below --workers {}",
                                    arguments.most, arguments.workers)});
  const auto pass = bring_up(arguments, false);
  if (!pass) return report(pass.error());
  show(arguments, *pass);
  const auto connect = option_value(arguments.worker_words, "--connect");
  const auto& where = connect.empty() ? arguments.connection.connect : connect;
  if (!pass->change.start.empty() && pass->engine != "k8s"
      && is_local_endpoint(where))
    print_hints(
        {fmt::format("workers look for their coordinator at {}, each on "
                     "its own machine; for another one, give --connect "
                     "tcp://HOST:7420",
                     where)});
  return arguments.most > 0 && !arguments.once ? keep_scaling(arguments)
                                               : exit_ok;
}

CLI::Validator array_name() {
  return CLI::Validator{[](std::string& name) {
                          return is_array_name(name)
                                     ? std::string{}
                                     : "expected 1 to 40 letters, digits, - "
                                       "and _";
                        },
                        "", "array name"};
}

void add_array_options(CLI::App& command, cluster_up_arguments& arguments) {
  command
      .add_option("--on", arguments.engine,
                  "Engine that runs the workers: slurm, ray, k8s or ssh.")
      ->check(CLI::IsMember(engine_names));
  command
      .add_option("--workers", arguments.workers,
                  "Number of workers; with --max, the least.")
      ->check(CLI::Range(0U, array_workers_max))
      ->required();
  command
      .add_option("--max", arguments.most,
                  "Up to so many workers: one for each --slots jobs that are "
                  "queued or run.")
      ->check(CLI::Range(1U, array_workers_max));
  command.add_flag("--once", arguments.once,
                   "With --max: scale once and end, for cron.");
  command
      .add_option("--host", arguments.hosts,
                  "Machine for --on ssh. May be repeated; workers take turns.")
      ->allow_extra_args(false)
      ->check(not_empty);
  command
      .add_option("--option", arguments.options,
                  "Word for sbatch, ssh or kubectl (--partition=cpu), or an "
                  "option of Ray's actors (num_cpus=2). May be repeated.")
      ->type_name("WORD")
      ->allow_extra_args(false);
  command.add_option("--program", arguments.program,
                     "Path of brewery where workers run; default: this one's.");
  command.add_option("--dir", arguments.directory,
                     "Directory there in which workers start; default: this "
                     "one.");
  command
      .add_option("--deployment", arguments.deployment,
                  "Deployment of workers on Kubernetes.")
      ->capture_default_str();
}

void add_up(CLI::App& all, chosen_command& chosen) {
  const auto arguments = std::make_shared<cluster_up_arguments>();
  auto* command = add_command(
      all, "up", "Start workers on an engine, or change their number.",
      up_footer);
  add_connection_options(*command, arguments->connection);
  add_patience_option(*command, arguments->connection);
  command->add_option("--name", arguments->name, "Name of the array.")
      ->check(array_name())
      ->capture_default_str();
  add_array_options(*command, *arguments);
  command->add_flag("--json", arguments->json,
                    "JSON lines on standard output.");
  command
      ->add_option("WORKER_OPTIONS", arguments->worker_words,
                   "Options of `brewery worker`, after --.")
      ->type_name("");
  command->callback([arguments, &chosen] {
    chosen = [=] { return up_command(*arguments); };
  });
}

} // namespace

void add_cluster_commands(CLI::App& app, chosen_command& chosen) {
  auto* all = add_command(
      app, "cluster",
      "Run workers on Slurm, Ray, Kubernetes or ssh: up, status, down.",
      "Example:\n  brewery cluster up --on slurm --workers 8 -- --env toy\n  "
      "brewery cluster status\n  brewery cluster down");
  all->require_subcommand(1);
  add_up(*all, chosen);
  const auto status = std::make_shared<cluster_status_arguments>();
  status->connection.patience_s = 5;
  auto* shows = add_command(
      *all, "status", "Show the arrays of workers that you started.",
      "Prints how many the engine runs, how many wait for their turn there, "
      "and "
      "how many the\ncoordinator knows.\n\nExample:\n  brewery cluster status "
      "--json");
  add_connection_options(*shows, status->connection);
  add_patience_option(*shows, status->connection);
  shows->add_option("--name", status->name, "Only this one.")
      ->check(array_name());
  shows->add_flag("--json", status->json, "JSON lines on standard output.");
  shows->callback([status, &chosen] {
    chosen = [=] { return cluster_status_command(*status); };
  });
  const auto down = std::make_shared<cluster_status_arguments>();
  down->name = "workers";
  auto* ends = add_command(
      *all, "down", "End the workers of an array, and forget it.",
      "Prints how many were told to end: by SIGTERM, so they finish or hand "
      "back what they do within\ntheir --grace.\n\nExample:\n  brewery cluster "
      "down --name workers");
  ends->add_option("--name", down->name, "Name of the array.")
      ->check(array_name())
      ->capture_default_str();
  ends->add_flag("--json", down->json, "JSON on standard output.");
  ends->callback([down, &chosen] {
    chosen = [=] { return cluster_down_command(*down); };
  });
}

} // namespace brewery

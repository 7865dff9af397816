/// `brewery submit`, `status`, `cancel`, `workers`, `drain`.

#include "base/printable.hpp"
#include "base/text.hpp"
#include "cli/configuration.hpp"
#include "cli/json_line.hpp"
#include "cli/operator/operator_client.hpp"
#include "cli/terminal.hpp"
#include "config/print.hpp"
#include "run/interrupt.hpp"
#include "store/run_directory.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <thread>
#include <unistd.h>

namespace brewery {

namespace {

using json_value = nlohmann::ordered_json;

struct operator_arguments {
  connection_arguments connection;
  config_arguments configuration;
  std::string id;
  std::string group;
  std::string worker;
  bool resume = false;
  double weight = 1;
  std::int32_t priority = 0;
  std::optional<double> new_weight;
  std::optional<std::int32_t> new_priority;
  bool json = false;
  bool watch = false;
};

std::string text_of(const json_value& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Prints the answer as JSON or with `show`; of a list, a line for each
/// element.
int finish(std::string_view event, const result<json_value>& answer, bool json,
           std::string (*show)(const json_value&)) {
  if (!answer) return report(answer.error());
  if (!json) {
    std::fputs(printable(show(*answer)).c_str(), stdout);
  } else if (answer->is_array()) {
    for (const auto& element : *answer)
      std::fputs(json_line(event, element).c_str(), stdout);
  } else {
    std::fputs(json_line(event, *answer).c_str(), stdout);
  }
  return exit_ok;
}

int resume_on_coordinator(const operator_arguments& arguments) {
  const auto& overrides = arguments.configuration.overrides;
  const auto answer = ask_coordinator(arguments.connection, "resume",
                                      {{"id", arguments.configuration.file},
                                       {"set", json_value(overrides).dump()}});
  if (answer && !overrides.empty() && !answer->contains("changed"))
    return report(error{ec::version_mismatch,
                        "this coordinator is of an older release: the run goes "
                        "on, but with the options that it had"});
  return finish("resume", answer, arguments.json, [](const json_value& body) {
    auto out = fmt::format("run {} continues\n", text_of(body["id"]));
    if (const auto changed = body.find("changed"); changed != body.end())
      for (const auto& one : *changed)
        out += fmt::format("{}: {} -> {}\n", text_of(one["option"]),
                           text_of(one["from"]), text_of(one["to"]));
    return out;
  });
}

int submit_command(const operator_arguments& arguments) {
  if (arguments.resume) return resume_on_coordinator(arguments);
  const auto loaded = load_from(arguments.configuration);
  if (!loaded.problems.empty()) {
    report(loaded.problems);
    return exit_usage; // as in `run`
  }
  order_words words{{"config", to_toml(loaded.value)},
                    {"id", arguments.id},
                    {"order", random_id()},
                    {"group", arguments.group},
                    {"weight", fmt::format("{}", arguments.weight)},
                    {"priority", std::to_string(arguments.priority)}};
  // Chosen here, so that it can be named if no answer comes.
  if (arguments.id.empty()) {
    words["id"] = run_directory::id_of(std::chrono::system_clock::now(),
                                       loaded.value.run.name);
    words["id_is_default"] = "1";
  }
  return finish(
      "submit",
      ask_coordinator(arguments.connection, "submit", std::move(words),
                      operator_client::sending::named),
      arguments.json, [](const json_value& body) {
        auto out = fmt::format("run {} in {}\n", text_of(body["id"]),
                               text_of(body["directory"]));
        // The command is the coordinator's, whatever was submitted.
        if (const auto it = body.find("benchmark"); it != body.end())
          out +=
              fmt::format("the coordinator's program plays {}\n", text_of(*it));
        return out;
      });
}

std::string progress_of(const json_value& run) {
  if (run["state"] == "finished") return "-"; // its phase is the last one
  const auto phase = run["phase"].get<std::string>();
  if (phase != "expanding") return phase.empty() ? "-" : phase;
  auto out =
      fmt::format("iteration {}/{}, barrier {}/{}", run["iteration"].get<int>(),
                  run["iterations"].get<int>(),
                  run["trees_reported"].get<int>(), run["trees"].get<int>());
  if (run.contains("searches"))
    for (const auto& one : run["searches"])
      if (one["phase"] == "expanding" && one["search"] != run["search"])
        out += fmt::format(", {} {}/{}", text_of(one["search"]),
                           one["iteration"].get<int>(),
                           one["iterations"].get<int>());
  return out;
}

/// "group table5: 3 finished, 12 running; rollouts shared: 512; $0.21 of
/// $5.00".
std::string group_line(const json_value& group) {
  std::vector<std::string> states;
  for (const auto& [state, count] : group["runs"].items())
    states.push_back(fmt::format("{} {}", count.get<std::size_t>(), state));
  auto out = fmt::format("group {}: {}; rollouts shared: {}",
                         text_of(group["name"]), join(states, ", "),
                         group["rollouts_shared"].get<std::size_t>());
  const double cost = group["cost_usd"], most = group["max_cost_usd"];
  if (cost > 0 || most > 0) out += fmt::format("; ${:.2f}", cost);
  if (most > 0) out += fmt::format(" of ${:.2f}", most);
  return out + '\n';
}

std::string show_status(const json_value& body) {
  const auto& jobs = body["jobs"];
  auto out = fmt::format(
      "{} with {} | jobs: {} run, {} wait, {} given up\nadopted {}, expired "
      "{}, stale {}, backups won {} lost {}\n",
      counted(body["workers"].get<std::size_t>(), "worker"),
      counted(body["slots"].get<std::size_t>(), "slot"),
      jobs["running"].get<std::size_t>(), jobs["queued"].get<std::size_t>(),
      jobs["quarantined"].get<std::size_t>(),
      body["jobs_adopted"].get<std::size_t>(),
      body["leases_expired"].get<std::size_t>(),
      body["results_stale"].get<std::size_t>(),
      body["backups"]["won"].get<std::size_t>(),
      body["backups"]["lost"].get<std::size_t>());
  std::vector<std::vector<std::string>> rows{
      {"run", "state", "search", "progress", "jobs", "rollouts", "cost"}};
  bool any_cost = false;
  std::string problems;
  for (const auto& run : body["runs"]) {
    rows.push_back({text_of(run["id"]), text_of(run["state"]),
                    text_of(run["search"]), progress_of(run),
                    fmt::format("{}/{}", run["jobs_done"].get<std::size_t>(),
                                run["jobs"].get<std::size_t>()),
                    run["rollouts"].dump(), ""});
    if (run.contains("cost_usd")) {
      any_cost = true;
      rows.back().back() =
          fmt::format("${:.2f}", run["cost_usd"].get<double>());
    }
    if (run.contains("error"))
      problems +=
          fmt::format("{}: {}\n", text_of(run["id"]), text_of(run["error"]));
  }
  for (auto& row : rows)
    if (!any_cost) row.pop_back(); // without models there is none
  if (rows.size() > 1) out += fitted_table(rows);
  if (body.contains("groups"))
    for (const auto& group : body["groups"])
      out += group_line(group);
  for (const auto& why : body["waiting"])
    out += text_of(why) + '\n';
  return out + problems;
}

int status_command(const operator_arguments& arguments) {
  if (!arguments.watch)
    return finish("status",
                  ask_coordinator(arguments.connection, "status", {},
                                  operator_client::sending::repeat),
                  arguments.json, show_status);
  interrupt_watch::block_signals();
  std::atomic<bool> stop{false};
  interrupt_watch watch{[&] { stop = true; }, [] {}};
  const bool terminal = isatty(1) != 0;
  while (!stop) {
    const auto answer = ask_coordinator(arguments.connection, "status", {},
                                        operator_client::sending::repeat,
                                        [&] { return stop.load(); });
    if (!answer && answer.error().code == ec::cancelled) break;
    if (terminal && !arguments.json) std::fputs("\x1b[H\x1b[2J", stdout);
    // Keeps waiting while a coordinator restarts.
    if (answer)
      finish("status", answer, arguments.json, show_status);
    else
      report(answer.error());
    if (std::fflush(stdout) != 0) return exit_failed;
    for (int i = 0; i < 20 && !stop; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds{100});
  }
  return exit_ok;
}

int set_command(const operator_arguments& arguments) {
  order_words words{{"id", arguments.id}};
  if (arguments.new_weight)
    words["weight"] = fmt::format("{}", *arguments.new_weight);
  if (arguments.new_priority)
    words["priority"] = std::to_string(*arguments.new_priority);
  if (words.size() == 1)
    return report(error{ec::invalid_argument,
                        "nothing to set: give --weight or --priority"});
  return finish("set", ask_coordinator(arguments.connection, "set", words),
                arguments.json, [](const json_value& body) {
                  return fmt::format("run {} has weight {}, priority {}\n",
                                     text_of(body["id"]),
                                     body["weight"].get<double>(),
                                     body["priority"].get<int>());
                });
}

int cancel_command(const operator_arguments& arguments) {
  if (arguments.id.empty() == arguments.group.empty())
    return report(
        error{ec::invalid_argument, "say what to cancel: RUN or --group NAME"});
  if (!arguments.group.empty())
    return finish("cancel",
                  ask_coordinator(arguments.connection, "cancel",
                                  {{"group", arguments.group}}),
                  arguments.json, [](const json_value& body) {
                    return fmt::format(
                        "{} of group {} cancelled; finished work is saved\n",
                        counted(body["cancelled"].get<std::size_t>(), "run"),
                        text_of(body["group"]));
                  });
  return finish(
      "cancel",
      ask_coordinator(arguments.connection, "cancel", {{"id", arguments.id}}),
      arguments.json, [](const json_value& body) {
        return fmt::format("run {} {}; finished work is saved, "
                           "`brewery submit --resume {}` continues it\n",
                           text_of(body["id"]),
                           body["state"] == "stopping"
                               ? "stops when its calls of models have ended"
                               : "is cancelled",
                           text_of(body["id"]));
      });
}

std::string show_workers(const json_value& body) {
  std::vector<std::vector<std::string>> rows{
      {"worker", "host", "state", "busy", "done", "failed", "last error"}};
  for (const auto& worker : body) {
    constexpr std::size_t shown_bytes_max = 60;
    const auto trouble =
        single_line(text_of(worker["last_error"]), shown_bytes_max);
    rows.push_back({text_of(worker["name"]), text_of(worker["host"]),
                    text_of(worker["state"]),
                    fmt::format("{}/{}", worker["busy"].get<int>(),
                                worker["slots"].get<int>()),
                    worker["done"].dump(), worker["failed"].dump(),
                    trouble.empty() ? "-" : trouble});
  }
  return rows.size() > 1 ? fitted_table(rows) : "no worker is connected\n";
}

int workers_command(const operator_arguments& arguments) {
  return finish("worker",
                ask_coordinator(arguments.connection, "workers", {},
                                operator_client::sending::repeat),
                arguments.json, show_workers);
}

int drain_command(const operator_arguments& arguments) {
  return finish("drain",
                ask_coordinator(arguments.connection, "drain",
                                {{"worker", arguments.worker}}),
                arguments.json, [](const json_value& body) {
                  const auto count = body["workers"].get<std::size_t>();
                  return count == 1 ? std::string{"1 worker finishes its jobs "
                                                  "and leaves\n"}
                                    : fmt::format("{} workers finish their "
                                                  "jobs and leave\n",
                                                  count);
                });
}

using arguments_ptr = std::shared_ptr<operator_arguments>;

CLI::App* add(CLI::App& app, chosen_command& chosen, const std::string& name,
              const std::string& sentence, const std::string& footer,
              const arguments_ptr& arguments,
              int (*run)(const operator_arguments&)) {
  auto* command = add_command(app, name, sentence, footer);
  add_connection_options(*command, arguments->connection);
  add_patience_option(*command, arguments->connection);
  command->add_flag("--json", arguments->json, "JSON on standard output.");
  command->callback(
      [arguments, run, &chosen] { chosen = [=] { return run(*arguments); }; });
  return command;
}

void add_submit(CLI::App& app, chosen_command& chosen) {
  const auto arguments = std::make_shared<operator_arguments>();
  auto* command =
      add(app, chosen, "submit", "Submit a run to a coordinator.",
          "The coordinator creates the run directory; the id of the run is "
          "printed.\n\nExamples:\n  brewery submit config/telecom-example.toml "
          "--id wide --weight 2\n  brewery submit --resume wide\n"
          "  brewery submit --resume wide --set budget.max_cost_usd=20",
          arguments, submit_command);
  command
      ->add_option("CONFIG", arguments->configuration.file,
                   "Configuration file (TOML); with --resume, the id of a run.")
      ->required();
  add_override_option(*command, arguments->configuration);
  command
      ->add_option("--id", arguments->id,
                   "Name of the run; default: name and time.")
      ->check(not_empty);
  command
      ->add_option("--group", arguments->group,
                   "Runs of one group do once what they ask for alike.")
      ->check(not_empty);
  command
      ->add_option("--weight", arguments->weight,
                   "Its share of the workers among runs of equal priority.")
      ->check(number_from(0.001, 1000))
      ->capture_default_str();
  command
      ->add_option("--priority", arguments->priority,
                   "Runs of higher priority go first.")
      ->check(CLI::Range(-100, 100))
      ->capture_default_str();
  auto* resume =
      command->add_flag("--resume", arguments->resume,
                        "Continue a run that was cancelled, was stopped or "
                        "has failed, with the options it has; with --set, for "
                        "good with another budget.* or max_tokens of a role.");
  for (const auto* option : {"--id", "--group", "--weight", "--priority"})
    resume->excludes(command->get_option(option));
}

void add_set(CLI::App& app, chosen_command& chosen) {
  const auto arguments = std::make_shared<operator_arguments>();
  auto* command =
      add(app, chosen, "set", "Change a run's weight or priority.",
          "From now on: jobs that are running stay where they are.\n\nExample:"
          "\n  brewery set wide --weight 2 --priority 1",
          arguments, set_command);
  command->add_option("RUN", arguments->id, "Id of the run.")->required();
  command
      ->add_option("--weight", arguments->new_weight,
                   "Its share of the workers among runs of equal priority.")
      ->check(number_from(0.001, 1000));
  command
      ->add_option("--priority", arguments->new_priority,
                   "Runs of higher priority go first.")
      ->check(CLI::Range(-100, 100));
}

} // namespace

void add_operator_commands(CLI::App& app, chosen_command& chosen) {
  add_submit(app, chosen);
  const auto status = std::make_shared<operator_arguments>();
  add(app, chosen, "status",
      "Show the runs and jobs of a cluster, and why jobs wait.",
      "Example:\n  brewery status --watch", status, status_command)
      ->add_flag("--watch", status->watch,
                 "Repeat every two seconds, until Ctrl-C.");
  add_set(app, chosen);
  const auto cancel = std::make_shared<operator_arguments>();
  auto* cancels =
      add(app, chosen, "cancel", "Cancel a run of a cluster, or a group.",
          "Finished work is saved. Examples:\n  brewery cancel wide\n  brewery "
          "cancel --group table5",
          cancel, cancel_command);
  cancels->add_option("RUN", cancel->id, "Id of the run.");
  cancels->add_option("--group", cancel->group, "All runs of this group.")
      ->check(not_empty);
  const auto workers = std::make_shared<operator_arguments>();
  add(app, chosen, "workers", "List the workers of a cluster.",
      "Example:\n  brewery workers --json", workers, workers_command);
  const auto drain = std::make_shared<operator_arguments>();
  add(app, chosen, "drain", "Let a worker finish its jobs and leave.",
      "Example:\n  brewery drain host7-4242", drain, drain_command)
      ->add_option("WORKER", drain->worker,
                   "Its name or incarnation, as `brewery workers` lists it.")
      ->required();
}

} // namespace brewery

/// `brewery rollout show`.

#include "cli/commands.hpp"
#include "cli/configuration.hpp"
#include "cli/json_line.hpp"
#include "cli/locate.hpp"
#include "cli/terminal.hpp"
#include "report/rollout_text.hpp"

#include <memory>

namespace brewery {

namespace {

constexpr const char* rollout_footer =
    "Prints one attempt from a run's log to standard output: the documents "
    "that the agent read,\nits calls with what came back, and the checks of "
    "the grade. Of a test task it is an attempt of\nthe final evaluation, "
    "under the published knowledge base unless --arm names another; of\n"
    "another task the last attempt of the search. TASK may also be the id of a "
    "rollout, as\n`brewery kb show RUN CONCEPT --provenance` shows it.\n\n"
    "Examples:\n"
    "  brewery rollout show first mobile_data/L2004/data_off\n"
    "  brewery rollout show first mobile_data/L2004/data_off --trial 2 --arm "
    "\"no KB\"\n"
    "  brewery rollout show first 1f0c52aa --json | jq .rollout.steps";

struct rollout_arguments {
  std::string run, task, arm, runs_dir;
  std::uint32_t trial = 1;
  bool json = false;
};

int rollout_show(const rollout_arguments& arguments) {
  const auto run =
      locate_run(arguments.run, runs_directory(arguments.runs_dir));
  if (!run) return report(run.error());
  const auto found =
      find_rollout({*run, arguments.task, arguments.trial - 1, arguments.arm});
  if (!found) return report(found.error());
  const auto text = arguments.json ? json_line("rollout", rollout_json(*found))
                                   : rollout_text(*found, colours(stdout));
  std::fwrite(text.data(), 1, text.size(), stdout);
  return exit_ok;
}

} // namespace

void add_rollout_commands(CLI::App& app, chosen_command& chosen) {
  auto* group = add_command(app, "rollout", "Look at single attempts: show.",
                            rollout_footer);
  group->require_subcommand(1);
  auto* command =
      add_command(*group, "show", "Print one attempt of a run, step by step.",
                  rollout_footer);
  auto arguments = std::make_shared<rollout_arguments>();
  command->add_option("RUN", arguments->run, "Run id or run directory.")
      ->required();
  command
      ->add_option("TASK", arguments->task,
                   "Task id, or the first characters of a rollout's id.")
      ->required()
      ->check(not_empty);
  command
      ->add_option("--trial", arguments->trial,
                   "Which of equal attempts, from 1.")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  command->add_option("--arm", arguments->arm,
                      "Arm of the evaluation, as the report names it.");
  add_runs_dir_option(*command, arguments->runs_dir);
  command->add_flag("--json", arguments->json, "One line of JSON.");
  command->callback([arguments, &chosen] {
    chosen = [arguments] { return rollout_show(*arguments); };
  });
}

} // namespace brewery

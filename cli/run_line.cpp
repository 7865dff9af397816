/// The command line of `run`, `resume` and `eval`.

#include "base/toml_reader.hpp"
#include "cli/commands.hpp"
#include "config/option.hpp"

#include <memory>

namespace brewery {

namespace {

constexpr const char* run_footer =
    "Writes runs/ID/: kb/*.md and kb/manifest.json (the knowledge base), "
    "report.md (curves,\ntrees, changes and reasons), events.db (the log) and "
    "config.toml (the configuration used).\nProgress goes to standard error, "
    "the closing table to standard output. Ctrl-C stops\ncleanly; `brewery "
    "resume ID` continues and gives the same documents.\n\nExamples:\n  "
    "brewery run config/telecom-example.toml\n  brewery run "
    "config/telecom-example.toml --id wide --set search.max_width=10\n  "
    "brewery run config/tau2-telecom.toml --set "
    "environment.data=../tau2-bench/data/tau2\n  brewery run "
    "config/tau2-telecom.toml --env tau2-official --checkout ../tau2-bench\n";

constexpr const char* resume_footer =
    "Continues at the end of the run's log, after Ctrl-C, a crash or a power "
    "failure, with the\nconfiguration stored in the run directory. The "
    "documents are the same as without the\ninterruption. Jobs that the "
    "environment, a model or the machine failed are tried again where no\n"
    "search decided anything since: those of the final evaluation, and of the "
    "step that the search is\nat. A finished run without such jobs prints its "
    "stored results at once.\n\n--iterations extends a run: it ends as a run "
    "with so many iterations would have ended, and\nits evaluation is made "
    "again. --retry-failed tries all failed jobs again, also those of earlier\n"
    "steps; what was decided after them is decided again, all else is kept.\n\n"
    "Examples:\n  brewery resume wide\n  brewery resume runs/wide --json\n  "
    "brewery resume wide --iterations 20\n  brewery resume wide --retry-failed";

constexpr const char* eval_footer =
    "Runs every task of the split with and without the knowledge base and "
    "prints success rates,\npass^k and their 95 % intervals, and what models "
    "cost, to standard output. Writes nothing.\nFor documents of a run, the "
    "configuration is that of the run, unless --config names another.\n\n"
    "Examples:\n  brewery eval first --split test\n  brewery eval "
    "runs/first/kb --config config/telecom-example.toml --trials 8 --json";

/// "Options for --set": every key with its default, from the schema.
std::string option_keys() {
  std::string out = "\nOptions for --set, with their defaults (`brewery config "
                    "print` explains each):\n";
  for (const auto& section : schema()) {
    std::string line = "  " + section.name + ".";
    for (const auto& item : section.options) {
      const auto word = item.name + '=' + write_toml(item.get(config{}));
      if (line.size() + 1 + word.size() > 80) {
        out += line + '\n';
        line = "   ";
      }
      line += ' ' + word;
    }
    out += line + '\n';
  }
  return out;
}

void add_run(CLI::App& app, chosen_command& chosen) {
  auto* command =
      add_command(app, "run", "Learn a knowledge base on this machine.",
                  run_footer + option_keys());
  auto arguments = std::make_shared<run_arguments>();
  command
      ->add_option("CONFIG", arguments->configuration.file,
                   "Configuration file (TOML).")
      ->required();
  add_override_option(*command, arguments->configuration);
  const auto sets = [arguments](const char* key) {
    return [arguments, key](const std::string& value) {
      arguments->configuration.overrides.push_back(key + ("=" + value));
    };
  };
  command->add_option_function<std::string>(
      "--env", sets("environment.kind"),
      "The benchmark; same as environment.kind.");
  command->add_option_function<std::string>(
      "--checkout", sets("environment.data"),
      "Its data or checkout directory; same as environment.data.");
  command
      ->add_option("--id", arguments->id,
                   "Name of the run directory; default: name and time.")
      ->check(not_empty);
  command->add_option_function<std::string>("--runs-dir", sets("run.runs_dir"),
                                            "Directory that holds the runs; "
                                            "same as run.runs_dir.");
  command
      ->add_option_function<std::uint32_t>(
          "--workers",
          [arguments](const std::uint32_t& count) {
            arguments->configuration.overrides.push_back(
                "run.workers=" + std::to_string(count));
          },
          "Number of worker processes, instead of threads; same as "
          "run.workers.")
      ->check(CLI::Range(0, 1024));
  command->add_option(
      "--replay", arguments->replay,
      "Run whose recorded model calls answer the calls of this run. No model "
      "is called; the first call that differs ends the run.");
  command->add_flag("--json", arguments->json,
                    "Progress and results as JSON lines on standard output.");
  command->add_flag("--quiet", arguments->quiet, "Show no progress.");
  command->callback([arguments, &chosen] {
    chosen = [=] { return run_command(*arguments); };
  });
}

void add_resume(CLI::App& app, chosen_command& chosen) {
  auto* command =
      add_command(app, "resume", "Continue or extend a run.", resume_footer);
  auto arguments = std::make_shared<resume_arguments>();
  command
      ->add_option("RUN", arguments->run, "Run id, or path of a run directory.")
      ->required();
  command
      ->add_option("--set", arguments->overrides,
                   "Override an option of run, cluster, models or budget, or "
                   "max_tokens of a role, e.g. "
                   "budget.max_cost_usd=20. May be repeated.")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command
      ->add_option("--iterations", arguments->iterations,
                   "Extend the run to this number of iterations.")
      ->check(CLI::Range(1, 10000));
  command->add_flag("--retry-failed", arguments->retry_failed,
                    "Try failed jobs of earlier steps again, too.");
  command->add_option("--replay", arguments->replay,
                      "Same option as at the start of the run.");
  command->add_flag("--json", arguments->json,
                    "Progress and results as JSON lines on standard output.");
  command->add_flag("--quiet", arguments->quiet, "Show no progress.");
  add_runs_dir_option(*command, arguments->runs_dir);
  command->callback([arguments, &chosen] {
    chosen = [=] { return resume_command(*arguments); };
  });
}

void add_eval(CLI::App& app, chosen_command& chosen) {
  auto* command = add_command(
      app, "eval", "Measure a knowledge base on a split.", eval_footer);
  auto arguments = std::make_shared<eval_arguments>();
  command
      ->add_option("KB", arguments->kb,
                   "Directory of documents, run id or run directory.")
      ->required();
  command->add_option("--config", arguments->configuration.file,
                      "Configuration file (TOML); default: the run's own.");
  add_override_option(*command, arguments->configuration);
  command->add_option("--split", arguments->split, "Split to evaluate.")
      ->capture_default_str();
  command
      ->add_option("--trials", arguments->trials,
                   "Rollouts of each task; default: eval.test_trials.")
      ->check(CLI::Range(1, 1000));
  command->add_flag("--json", arguments->json,
                    "Results as JSON lines on standard output.");
  command->add_flag("--quiet", arguments->quiet, "Show no progress.");
  add_runs_dir_option(*command, arguments->runs_dir);
  command->callback([arguments, &chosen] {
    chosen = [=] { return eval_command(*arguments); };
  });
}

} // namespace

void add_run_commands(CLI::App& app, chosen_command& chosen) {
  add_run(app, chosen);
  add_resume(app, chosen);
  add_eval(app, chosen);
}

} // namespace brewery

/// `brewery export`: exports a run's evaluation for other tools.

#include "base/file.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/configuration.hpp"
#include "cli/json_line.hpp"
#include "cli/locate.hpp"
#include "cli/terminal.hpp"
#include "report/osworld_export.hpp"
#include "report/tau2_export.hpp"

#include <fmt/format.h>

#include <memory>

namespace brewery {

namespace {

constexpr const char* results_footer =
    "Writes the rollouts of a run's final evaluation with messages, rewards "
    "and reasons for the\nend, in the results format of tau2-bench 1.0.1. What "
    "the run's log does not contain is null\nor empty. The file lists "
    "differences from the settings of tau2-bench's leader board "
    "under\ninfo.brewery. The run's data directory must still "
    "exist.\n\nExamples:\n  brewery export --tau2 first -o results.json\n  "
    "brewery export --osworld first -o results\n  "
    "brewery export --tau2 first --arm \"no KB\" -o without.json";

struct results_arguments {
  std::string run;
  std::string desktop_run;
  std::string screenshots;
  std::string arm;
  std::string out;
  std::string runs_dir;
  bool force = false;
  bool json = false;
};

int export_desktops(const results_arguments& arguments) {
  const auto run =
      locate_run(arguments.desktop_run, runs_directory(arguments.runs_dir));
  if (!run) return report(run.error());
  const auto made =
      export_osworld(*run, arguments.arm, arguments.screenshots, arguments.out);
  if (!made) return report(made.error());
  const auto text =
      arguments.json
          ? json_line("export", {{"arm", made->arm},
                                 {"rollouts", made->rollouts},
                                 {"graded", made->graded},
                                 {"missing", made->missing},
                                 {"screenshots", made->screenshots},
                                 {"directory", arguments.out}})
          : fmt::format("{} of \"{}\" in {}: {} graded, {} missing; {}\n",
                        counted(made->rollouts, "rollout"),
                        printable(made->arm), arguments.out, made->graded,
                        made->missing,
                        counted(made->screenshots, "screenshot"));
  std::fputs(text.c_str(), stdout);
  return exit_ok;
}

int export_command(const results_arguments& arguments) {
  std::error_code ignored;
  if (!arguments.force && std::filesystem::exists(arguments.out, ignored))
    return report(error{ec::already_exists,
                        arguments.out
                            + " exists already: choose another file, or "
                              "replace it with --force"});
  if (!arguments.desktop_run.empty()) return export_desktops(arguments);
  const auto run =
      locate_run(arguments.run, runs_directory(arguments.runs_dir));
  if (!run) return report(run.error());
  const auto made = export_tau2(*run, arguments.arm);
  if (!made) return report(made.error());
  if (made->rollouts == 0)
    return report(error{ec::not_found,
                        fmt::format("the log has none of the {} rollouts of "
                                    "\"{}\"; {} is not written",
                                    made->missing, made->arm, arguments.out)});
  if (auto ok = write_file_atomically(arguments.out, made->text); !ok)
    return report(ok.error());
  if (made->missing > 0)
    std::fprintf(stderr,
                 "brewery: note: %zu rollouts are not in the log and not in "
                 "the file\n",
                 made->missing);
  const auto text = arguments.json
                        ? json_line("export", {{"arm", made->arm},
                                               {"rollouts", made->rollouts},
                                               {"missing", made->missing},
                                               {"file", arguments.out}})
                        : fmt::format("{} of \"{}\" in {}\n",
                                      counted(made->rollouts, "rollout"),
                                      printable(made->arm), arguments.out);
  std::fputs(text.c_str(), stdout);
  return exit_ok;
}

} // namespace

void add_export_command(CLI::App& app, chosen_command& chosen) {
  auto* command =
      add_command(app, "export", "Write a run's evaluation for other tools.",
                  results_footer);
  auto arguments = std::make_shared<results_arguments>();
  auto* official = command->add_option(
      "--tau2", arguments->run,
      "Run (id or directory) to write as tau2-bench results.");
  command
      ->add_option("--osworld", arguments->desktop_run,
                   "Run to write as a result directory of OSWorld.")
      ->excludes(official);
  command->add_option("--screenshots", arguments->screenshots,
                      "With --osworld: where the workers kept screenshots; "
                      "default: environment.osworld.screenshots of the run.");
  command->add_option("--arm", arguments->arm,
                      "Arm of the evaluation, as the report names it; default: "
                      "that of the published documents (the first strategy).");
  command->add_option("-o,--out", arguments->out, "File or directory to write.")
      ->required();
  command->add_flag("--force", arguments->force,
                    "Replace the file if it exists.");
  add_runs_dir_option(*command, arguments->runs_dir);
  command->add_flag("--json", arguments->json, "Answer as one line of JSON.");
  command->callback([arguments, &chosen] {
    if (arguments->run.empty() && arguments->desktop_run.empty())
      throw CLI::RequiredError("--tau2 or --osworld");
    chosen = [arguments] { return export_command(*arguments); };
  });
}

} // namespace brewery

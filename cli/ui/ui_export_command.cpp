#include "cli/ui/ui_export_command.hpp"

#include "base/text.hpp"
#include "cli/configuration.hpp"
#include "cli/json_line.hpp"
#include "cli/locate.hpp"
#include "cli/terminal.hpp"
#include "web/export/static_export.hpp"

#include <fmt/format.h>

#include <memory>

namespace brewery {

namespace {

constexpr const char* export_footer =
    "Writes a folder whose index.html shows the run in a browser, from disk, "
    "without a server: its\ntrees, documents, evidence and rollouts, as of "
    "now. DIR must not exist. What agents did is left\nout where --max-mb is "
    "reached: rollouts that published lines rest on come first, then those of\n"
    "the final evaluation, then the newest. The folder holds all texts of "
    "models and tasks, in plain\nsight.\n\nExample:\n  brewery ui export first "
    "--out first-page";

struct export_arguments {
  std::string run, out, runs_dir;
  std::uint64_t max_mb = 200;
  bool json = false;
};

constexpr std::uint64_t megabyte = 1'000'000;

int ui_export_command(const export_arguments& arguments) {
  const auto run =
      locate_run(arguments.run, runs_directory(arguments.runs_dir));
  if (!run) return report(run.error());
  const auto path = std::filesystem::absolute(*run).lexically_normal();
  web::run_shelf shelf{path.parent_path(), path.filename().string()};
  const auto made =
      web::export_run(shelf, {path.filename().string(), arguments.out,
                              arguments.max_mb * megabyte});
  if (!made) return report(made.error());
  const auto page = std::filesystem::path{arguments.out} / "index.html";
  const auto text =
      arguments.json
          ? json_line("ui_export", {{"page", page.string()},
                                    {"bytes", made->bytes},
                                    {"rollouts", made->rollouts},
                                    {"with_steps", made->with_steps}})
          : fmt::format("{}: {:.1f} MB, {} of {} with their steps\n",
                        page.string(),
                        static_cast<double>(made->bytes) / megabyte,
                        made->with_steps, counted(made->rollouts, "rollout"));
  std::fputs(text.c_str(), stdout);
  return exit_ok;
}

} // namespace

void add_ui_export_command(CLI::App& ui, chosen_command& chosen) {
  auto* command =
      add_command(ui, "export", "Write a run as a folder that opens from disk.",
                  export_footer);
  auto arguments = std::make_shared<export_arguments>();
  command->add_option("RUN", arguments->run, "A run's id or directory.")
      ->required();
  command->add_option("--out", arguments->out, "Directory to make.")
      ->required()
      ->check(not_empty)
      ->type_name("DIR");
  command
      ->add_option("--max-mb", arguments->max_mb,
                   "Most megabytes of the run's data.")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000));
  add_runs_dir_option(*command, arguments->runs_dir);
  command->add_flag("--json", arguments->json, "One JSON line.");
  command->callback([arguments, &chosen] {
    chosen = [arguments] { return ui_export_command(*arguments); };
  });
}

} // namespace brewery

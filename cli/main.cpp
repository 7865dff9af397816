/// `brewery`: parses the command line and runs the chosen command.

#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "cli/usage.hpp"
#include "run/build_info.hpp"

#include <cerrno>
#include <cstring>
#include <exception>

namespace {

using namespace brewery;

constexpr const char* description =
    "Brewery learns a knowledge base for a language agent from the agent's "
    "own rollouts.";

constexpr const char* footer =
    "A first run, and what it learned:\n"
    "  brewery run config/telecom-example.toml --id first\n"
    "  brewery kb list first\n"
    "  brewery kb show first 0 --provenance\n\n"
    "Results are written to runs/ID/ and answers to standard output; errors "
    "are one line each\non standard error and begin with `brewery: `. Exit "
    "codes: 0 ok, 1 failed, 2 bad usage or\nconfiguration, 130 interrupted.\n"
    "Every command explains itself: brewery COMMAND --help";

/// "brewery 0.1.0 (commit 296b5f2d8f61)", without the commit if it is unknown.
std::string version() {
  const std::string commit{build_commit()};
  return "brewery " BREWERY_VERSION
         + (commit.empty() ? "" : " (commit " + commit + ')');
}

/// A failed write, as on a full disk, must not look like success.
int flush(int code) {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
  return report(error{ec::io, std::string{"cannot write the output: "}
                                  + std::strerror(errno)});
}

int parse_and_run(int argc, char** argv) {
  CLI::App app{description, "brewery"};
  app.set_version_flag("--version", version());
  app.require_subcommand(1);
  app.footer(footer);
  chosen_command chosen;
  add_run_commands(app, chosen);
  add_estimate_command(app, chosen);
  add_runs_command(app, chosen);
  add_sweep_command(app, chosen);
  add_compare_command(app, chosen);
  add_report_command(app, chosen);
  add_kb_commands(app, chosen);
  add_tree_command(app, chosen);
  add_rollout_commands(app, chosen);
  add_ui_command(app, chosen);
  add_config_commands(app, chosen);
  add_generate_command(app, chosen);
  add_coordinator_command(app, chosen);
  add_worker_command(app, chosen);
  add_cluster_commands(app, chosen);
  add_operator_commands(app, chosen);
  add_quarantine_commands(app, chosen);
  add_fetch_command(app, chosen);
  add_logs_command(app, chosen);
  add_top_command(app, chosen);
  add_keys_commands(app, chosen);
  add_log_commands(app, chosen);
  add_export_command(app, chosen);
  add_env_commands(app, chosen);
  add_regrade_command(app, chosen);
  add_data_commands(app, chosen);
  add_sim_command(app, chosen);
  add_reference_commands(app, chosen);

  const auto words =
      help_words(std::vector<std::string>(argv + 1, argv + argc));
  if (std::find(words.begin(), words.end(), "--json") != words.end())
    report_errors_as_json();
  if (const auto unknown = unknown_command(app, words); !unknown.empty())
    return report(error{ec::invalid_argument, unknown});
  try {
    app.parse(std::vector<std::string>{words.rbegin(), words.rend()});
  } catch (const CLI::CallForHelp&) {
    std::fputs(fitted_help(app.help()).c_str(), stdout);
    return flush(exit_ok);
  } catch (const CLI::Success& asked) {
    return flush(app.exit(asked)); // --version
  } catch (const CLI::ParseError& problem) {
    return report(
        error{ec::invalid_argument, usage_message(app, problem, words)});
  }
  return flush(chosen());
}

} // namespace

int main(int argc, char** argv) {
  try {
    return parse_and_run(argc, argv);
  } catch (const std::exception& unexpected) {
    return report(error{ec::internal,
                        std::string{"internal error: "} + unexpected.what()});
  }
}

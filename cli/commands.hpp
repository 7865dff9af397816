#pragma once
/// The commands of `brewery`: the arguments that the command line gives to
/// each, and the functions that add them to it. A command returns the exit
/// code: 0 ok, 1 failed, 2 bad usage or configuration, 130 interrupted.

#include <CLI/CLI.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace brewery {

/// A configuration file with its `--set` overrides.
struct config_arguments {
  std::string file; ///< may be empty if a command says so
  std::vector<std::string> overrides;
  bool stored = false; ///< the file was written by a run
};

struct run_arguments {
  config_arguments configuration;
  std::string id; ///< of the run directory; empty: derived from name and time
  std::string replay; ///< run whose model calls are replayed; empty: none
  bool json = false;
  bool quiet = false;
};

struct resume_arguments {
  std::string run; ///< a run id or the path of a run directory
  /// Only of options on which results do not depend.
  std::vector<std::string> overrides;
  std::uint32_t iterations = 0; ///< extends the run to so many; 0: does not
  bool retry_failed = false;
  std::string replay;
  std::string runs_dir; ///< empty: run.runs_dir
  bool json = false;
  bool quiet = false;
};

struct eval_arguments {
  std::string kb; ///< a directory of documents, a run id or a run directory
  config_arguments configuration;
  std::string split = "test";
  std::uint32_t trials = 0; ///< 0: eval.test_trials of the configuration
  std::string runs_dir;     ///< empty: run.runs_dir
  bool json = false;
  bool quiet = false;
};

int run_command(const run_arguments& arguments);
int resume_command(const resume_arguments& arguments);
int eval_command(const eval_arguments& arguments);

/// The chosen command. `main` runs it after parsing.
using chosen_command = std::function<int()>;

void add_run_commands(CLI::App& app, chosen_command& chosen);
void add_estimate_command(CLI::App& app, chosen_command& chosen);
void add_config_commands(CLI::App& app, chosen_command& chosen);
void add_kb_commands(CLI::App& app, chosen_command& chosen);
void add_tree_command(CLI::App& app, chosen_command& chosen);
void add_rollout_commands(CLI::App& app, chosen_command& chosen);
void add_ui_command(CLI::App& app, chosen_command& chosen);
void add_runs_command(CLI::App& app, chosen_command& chosen);
void add_sweep_command(CLI::App& app, chosen_command& chosen);
void add_compare_command(CLI::App& app, chosen_command& chosen);
void add_report_command(CLI::App& app, chosen_command& chosen);
void add_generate_command(CLI::App& app, chosen_command& chosen);
void add_coordinator_command(CLI::App& app, chosen_command& chosen);
void add_worker_command(CLI::App& app, chosen_command& chosen);
void add_cluster_commands(CLI::App& app, chosen_command& chosen);
void add_operator_commands(CLI::App& app, chosen_command& chosen);
void add_quarantine_commands(CLI::App& app, chosen_command& chosen);
void add_fetch_command(CLI::App& app, chosen_command& chosen);
void add_logs_command(CLI::App& app, chosen_command& chosen);
void add_top_command(CLI::App& app, chosen_command& chosen);
void add_keys_commands(CLI::App& app, chosen_command& chosen);
void add_log_commands(CLI::App& app, chosen_command& chosen);
void add_export_command(CLI::App& app, chosen_command& chosen);
void add_env_commands(CLI::App& app, chosen_command& chosen);
void add_regrade_command(CLI::App& app, chosen_command& chosen);
void add_data_commands(CLI::App& app, chosen_command& chosen);
void add_sim_command(CLI::App& app, chosen_command& chosen);
/// They read the commands of `app` when they are run.
void add_reference_commands(CLI::App& app, chosen_command& chosen);

/// Adds `--set`, which may be repeated.
void add_override_option(CLI::App& command, config_arguments& arguments);

CLI::Option* add_runs_dir_option(CLI::App& command, std::string& runs_dir);

/// For `CLI::Option::check`: what is wrong with the value; else "".
std::string not_empty(const std::string& value);

/// The same, of a 64-bit seed: CLI11 alone takes -1 for the largest.
std::string seed_number(const std::string& value);

/// Unlike CLI::Range not a number that is none.
CLI::Validator number_from(double least, double most);

/// Adds a subcommand with a one-sentence description. The footer below its
/// options has an example and says where the output goes.
CLI::App* add_command(CLI::App& parent, const std::string& name,
                      const std::string& sentence, const std::string& footer);

} // namespace brewery

/// `brewery fetch`.

#include "base/file.hpp"
#include "base/text.hpp"
#include "cli/json_line.hpp"
#include "cli/operator/fetched_run.hpp"
#include "cli/sweep/fetched_group.hpp"
#include "cli/terminal.hpp"
#include "store/run_directory.hpp"

#include <fmt/format.h>

#include <memory>

namespace brewery {

namespace {

constexpr const char* fetch_footer =
    "Files that are here already and equal are left alone. If the transfer is "
    "interrupted, by whatever, the\nsame command continues it where it was: "
    "a file gets its name when all of it has arrived and its hash\nis right. "
    "The log of a run can be fetched when the run is not running.\n\nThe "
    "directory can be used like one of `brewery run`, that of a group like one "
    "of\n"
    "`brewery sweep`, by `compare`, `report` and `ui`.\n\nExamples:\n  "
    "brewery fetch wide\n  brewery fetch wide --only documents,report --into "
    "results/wide\n  brewery fetch --group table5";

struct fetch_arguments {
  connection_arguments connection;
  std::string run;
  std::string group; ///< instead of a run
  std::string into;
  std::vector<std::string> only;
  bool json = false;
};

int fetch_one(const fetch_arguments& arguments, const std::string& run,
              const std::filesystem::path& into) {
  const auto done = fetch_run(arguments.connection, run, arguments.only, into);
  if (!done) return report(done.error());
  if (arguments.json)
    std::fputs(json_line("fetch", {{"run", run},
                                   {"directory", into.string()},
                                   {"files", done->files},
                                   {"bytes", done->bytes},
                                   {"bytes_before", done->bytes_before},
                                   {"log_in_use", done->log_in_use}})
                   .c_str(),
               stdout);
  else
    fmt::print("{} in {}: {} bytes fetched, {} were here already\n{}",
               counted(done->files, "file"), into.string(), done->bytes,
               done->bytes_before,
               done->log_in_use
                   ? "without the log: the run is being written; fetch again "
                     "when it has ended\n"
                   : "");
  return exit_ok;
}

/// Each into a directory of its own; the first that cannot be fetched ends it.
/// Whole runs are a sweep then.
int fetch_group(const fetch_arguments& arguments) {
  const auto group = ask_coordinator(arguments.connection, "group",
                                     {{"name", arguments.group}},
                                     operator_client::sending::repeat);
  if (!group) return report(group.error());
  const std::filesystem::path into =
      arguments.into.empty() ? arguments.group : arguments.into;
  std::vector<std::string> ids;
  for (const auto& run : (*group)["runs"]) {
    ids.push_back(run["id"].get<std::string>());
    // Whoever answers must not write elsewhere.
    if (auto ok = run_directory::can_be_id(ids.back()); !ok)
      return report(error{ec::malformed, "the coordinator's list of runs: "
                                             + ok.error().message});
  }
  if (auto ok = can_hold_group(into, ids); !ok) return report(ok.error());
  for (const auto& id : ids)
    if (const int code = fetch_one(arguments, id, into / id); code != exit_ok)
      return code;
  if (!arguments.only.empty()) return exit_ok;
  if (auto ok = note_group(into, arguments.group, ids); !ok)
    return report(ok.error());
  return exit_ok;
}

int fetch_command(const fetch_arguments& arguments) {
  if (arguments.run.empty() == arguments.group.empty())
    return report(
        error{ec::invalid_argument, "say what to fetch: RUN or --group NAME"});
  if (!arguments.group.empty()) return fetch_group(arguments);
  return fetch_one(arguments, arguments.run,
                   arguments.into.empty() ? arguments.run : arguments.into);
}

} // namespace

void add_fetch_command(CLI::App& app, chosen_command& chosen) {
  auto* command =
      add_command(app, "fetch", "Fetch a run's results from its coordinator.",
                  fetch_footer);
  auto arguments = std::make_shared<fetch_arguments>();
  add_connection_options(*command, arguments->connection);
  add_patience_option(*command, arguments->connection);
  command->add_option("RUN", arguments->run, "Id of the run.")
      ->check(not_empty);
  command
      ->add_option("--group", arguments->group,
                   "All runs of this group, each in a directory of its own.")
      ->check(not_empty);
  command
      ->add_option("--into", arguments->into,
                   "The directory; default: the run's or group's name, here.")
      ->type_name("DIRECTORY");
  command
      ->add_option("--only", arguments->only,
                   "documents, report or log; default: all.")
      ->check(CLI::IsMember(std::vector<std::string>(run_part_names.begin(),
                                                     run_part_names.end())))
      ->delimiter(',');
  command->add_flag("--json", arguments->json, "JSON on standard output.");
  command->callback([arguments, &chosen] {
    chosen = [=] { return fetch_command(*arguments); };
  });
}

} // namespace brewery

/// `brewery fetch`.

#include "base/file.hpp"
#include "base/text.hpp"
#include "cli/json_line.hpp"
#include "cli/operator/fetched_run.hpp"
#include "cli/terminal.hpp"

#include <fmt/format.h>

#include <memory>

namespace brewery {

namespace {

constexpr const char* fetch_footer =
    "Files that are here already and equal are left alone. If the transfer is "
    "interrupted, by whatever, the\nsame command continues it where it was: "
    "a file gets its name when all of it has arrived and its hash\nis right. "
    "The log of a run can be fetched when the run is not running.\n\nThe "
    "directory can be used like one of `brewery run`.\n\nExamples:\n  "
    "brewery fetch wide\n  brewery fetch wide --only documents,report --into "
    "results/wide";

struct fetch_arguments {
  connection_arguments connection;
  std::string run;
  std::string into;
  std::vector<std::string> only;
  bool json = false;
};

int fetch_command(const fetch_arguments& arguments) {
  const std::filesystem::path into =
      arguments.into.empty() ? arguments.run : arguments.into;
  const auto done =
      fetch_run(arguments.connection, arguments.run, arguments.only, into);
  if (!done) return report(done.error());
  if (arguments.json)
    std::fputs(json_line("fetch", {{"run", arguments.run},
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

} // namespace

void add_fetch_command(CLI::App& app, chosen_command& chosen) {
  auto* command =
      add_command(app, "fetch", "Fetch a run's results from its coordinator.",
                  fetch_footer);
  auto arguments = std::make_shared<fetch_arguments>();
  add_connection_options(*command, arguments->connection);
  add_patience_option(*command, arguments->connection);
  command->add_option("RUN", arguments->run, "Id of the run.")
      ->required()
      ->check(not_empty);
  command
      ->add_option("--into", arguments->into,
                   "The directory; default: the run's id, here.")
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

/// `brewery log`.

#include "base/printable.hpp"
#include "base/text.hpp"
#include "cli/configuration.hpp"
#include "cli/json_line.hpp"
#include "cli/locate.hpp"
#include "cli/terminal.hpp"
#include "report/log_repair.hpp"

#include <fmt/format.h>

#include <memory>

namespace brewery {

namespace {

constexpr const char* log_footer =
    "The event log of a run, events.db, is the truth of the run. `check` reads "
    "all of it and names damaged\nrows; the exit code is 1 if there are any. "
    "`salvage` writes a log without them and keeps the damaged\none beside it, "
    "in events-damaged-N/. It removes report.md and snapshots/, which "
    "`brewery resume` writes again. Lost\nresults are computed again when the "
    "run goes on.\n\nExamples:\n  brewery log check first\n  brewery log "
    "salvage "
    "first\n  brewery resume first";

struct log_arguments {
  std::string run;
  std::string runs_dir;
  bool json = false;
};

result<run_directory> open_run(const log_arguments& arguments) {
  const auto path =
      locate_run(arguments.run, runs_directory(arguments.runs_dir));
  if (!path) return path.error();
  return run_directory::open(path->parent_path(), path->filename().string());
}

/// What names it where no --runs-dir is given.
std::string word_for(const log_arguments& arguments, const run_directory& run) {
  return arguments.runs_dir.empty() ? arguments.run : run.path().string();
}

std::string numbers_of(const damaged_row& row) {
  return row.last == row.seq ? fmt::format("row {}", row.seq)
                             : fmt::format("rows {} to {}", row.seq, row.last);
}

/// Not in rows: if their number is damaged, there may be 10^16 that never were.
std::string places_in(const log_check& found) {
  return counted(found.damaged.size() + (found.acknowledged ? 0 : 1), "place");
}

void show(const log_check& found, bool json) {
  for (const auto& row : found.damaged)
    if (json)
      std::fputs(json_line("damaged_row", {{"row", row.seq},
                                           {"last_row", row.last},
                                           {"kind", row.kind},
                                           {"key", row.key},
                                           {"what", row.what},
                                           {"lost", loss_of(row)}})
                     .c_str(),
                 stdout);
    else
      fmt::print("{}: {}\n  lost: {}\n", numbers_of(row), printable(row.what),
                 printable(loss_of(row)));
  if (found.acknowledged) return;
  const auto why = found.acknowledged.error().message;
  const std::string_view lost = "the number of rows: if the last ones are "
                                "missing, nobody can tell";
  if (json)
    std::fputs(
        json_line("damaged_file",
                  {{"file", "events.ack"}, {"what", why}, {"lost", lost}})
            .c_str(),
        stdout);
  else
    fmt::print("events.ack: {}\n  lost: {}\n", printable(why), lost);
}

void print_line(const char* event, const nlohmann::ordered_json& about) {
  std::fputs(json_line(event, about).c_str(), stdout);
}

int check_command(const log_arguments& arguments) {
  const auto run = open_run(arguments);
  if (!run) return report(run.error());
  const auto found = check_log(run->path());
  if (!found) return report(found.error());
  show(*found, arguments.json);
  const auto intact = counted(found->intact, "row");
  if (found->is_intact()) {
    if (arguments.json)
      print_line("log_check", {{"intact", found->intact}});
    else
      fmt::print("{}, all intact\n", intact);
    return exit_ok;
  }
  return report(error{
      ec::corrupt,
      fmt::format("{}: {} intact, damaged in {}; `brewery log salvage {}` cuts "
                  "them out, and the run can go on",
                  run->events().string(), intact, places_in(*found),
                  shell_word(word_for(arguments, *run)))});
}

int salvage_command(const log_arguments& arguments) {
  const auto run = open_run(arguments);
  if (!run) return report(run.error());
  const auto done = salvage_run(*run);
  if (!done) return report(done.error());
  show(done->found, arguments.json);
  if (arguments.json)
    print_line("log_salvage", {{"intact", done->found.intact},
                               {"decisions_to_make", done->decisions},
                               {"kept", done->kept.string()}});
  else if (done->kept.empty())
    fmt::print("{}, all intact; nothing is changed\n",
               counted(done->found.intact, "row"));
  else
    fmt::print("{} cut out; {} to make again; the damaged log is kept in "
               "{}\ncontinue with `{}`\n",
               places_in(done->found), counted(done->decisions, "decision"),
               done->kept.string(),
               command_to_resume(run->path(), word_for(arguments, *run)));
  return exit_ok;
}

} // namespace

void add_log_commands(CLI::App& app, chosen_command& chosen) {
  auto* all =
      add_command(app, "log", "Check or repair the log of a run.", log_footer);
  all->require_subcommand(1);
  const auto add = [&](const std::string& name, const std::string& sentence,
                       int (*run)(const log_arguments&)) {
    auto arguments = std::make_shared<log_arguments>();
    auto* command = all->add_subcommand(name, sentence);
    command->add_option("RUN", arguments->run, "Id or directory of the run.")
        ->required();
    add_runs_dir_option(*command, arguments->runs_dir);
    command->add_flag("--json", arguments->json,
                      "JSON lines on standard output.");
    command->callback([arguments, run, &chosen] {
      chosen = [=] { return run(*arguments); };
    });
  };
  add("check", "Read the whole log and name damaged rows.", check_command);
  add("salvage", "Cut damaged rows out of the log.", salvage_command);
}

} // namespace brewery

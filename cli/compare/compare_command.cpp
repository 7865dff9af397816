/// `brewery compare`.

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/compare/place_names.hpp"
#include "cli/configuration.hpp"
#include "cli/json_line.hpp"
#include "cli/terminal.hpp"
#include "report/compare/run_groups.hpp"

#include <fmt/format.h>

#include <memory>

namespace brewery {

namespace {

constexpr const char* compare_footer =
    "Compares what finished runs measured on sealed tasks: the score of each "
    "with its interval, and\nthe difference to the first, task by task. Runs "
    "of several seeds are named together, as\nNAME=RUN,RUN,...; they are "
    "paired with those of the same seed. Only logs are read, so copies from\n"
    "other machines (`brewery fetch`) will do. What a sweep has no score of is "
    "left out, with a line\nthat says why; a run that is named and has none is "
    "an error beside the table.\n\nExamples:\n  brewery compare "
    "narrow wide\n  brewery compare 3x3=a-s1,a-s2,a-s3 10x3=b-s1,b-s2,b-s3\n  "
    "brewery compare here /mnt/cluster/runs/there --json";

struct compare_arguments {
  std::vector<std::string> words;
  std::string arm;
  std::string runs_dir;
  bool json = false;
};

/// Runs that halving cut have no sealed score.
std::string cut_text(const std::vector<sweep_point>& named) {
  std::string out;
  for (const auto& one : named)
    if (!one.cut.empty())
      out +=
          fmt::format("{}: {} of {} {}\n", one.name, one.cut.size(),
                      counted(one.runs.size(), "run"), one.cut.begin()->second);
  return out.empty() ? out : '\n' + out;
}

/// A run that the command line names must be in the table.
std::vector<error> missing_of(const named_runs& named) {
  std::vector<error> out;
  for (const auto& one : named.left_out)
    if (one.was_named)
      out.push_back({ec::not_found, "run " + one.run + ": " + one.why});
  return out;
}

int compare_command(const compare_arguments& arguments) {
  std::vector<error> problems;
  auto named =
      run_groups(arguments.words,
                 places_below(runs_directory(arguments.runs_dir)), problems);
  if (!problems.empty()) return report(problems);
  const auto cut = cut_json(named.points);
  const auto about_cut = cut_text(named.points);
  const auto groups = measured(named, arguments.arm);
  if (!groups) return report(groups.error());
  const auto made = compare(*groups);
  if (!made) return report(made.error());
  auto shown = comparison_json(*made);
  if (!cut.empty()) shown["cut"] = cut;
  if (!named.left_out.empty()) shown["left_out"] = left_out_json(named);
  const auto text = arguments.json ? json_line("comparison", shown)
                                   : comparison_text(*made, table_width())
                                         + about_cut + left_out_text(named);
  std::fputs(text.c_str(), stdout);
  return report(missing_of(named));
}

} // namespace

void add_compare_command(CLI::App& app, chosen_command& chosen) {
  auto* command =
      add_command(app, "compare", "Compare the scores of runs, paired by task.",
                  compare_footer);
  auto arguments = std::make_shared<compare_arguments>();
  command
      ->add_option("RUN", arguments->words,
                   "Run id or directory, NAME=RUN,RUN,... for runs of several "
                   "seeds, or the directory of a sweep.")
      ->required();
  command->add_option("--arm", arguments->arm,
                      "Arm of the evaluation, as the report names it; default: "
                      "the published documents.");
  add_runs_dir_option(*command, arguments->runs_dir);
  command->add_flag("--json", arguments->json, "One JSON line.");
  command->callback([arguments, &chosen] {
    chosen = [=] { return compare_command(*arguments); };
  });
}

} // namespace brewery

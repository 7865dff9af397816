/// `brewery compare`.

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/configuration.hpp"
#include "cli/json_line.hpp"
#include "cli/locate.hpp"
#include "cli/terminal.hpp"
#include "report/compare/comparison.hpp"

#include <fmt/format.h>

#include <memory>

namespace brewery {

namespace {

constexpr const char* compare_footer =
    "Compares what finished runs measured on sealed tasks: the score of each "
    "with its interval, and\nthe difference to the first, task by task. Runs "
    "of several seeds are named together, as\nNAME=RUN,RUN,...; they are "
    "paired with those of the same seed. Only logs are read, so copies from\n"
    "other machines (`brewery fetch`) will do.\n\nExamples:\n  brewery compare "
    "narrow wide\n  brewery compare 3x3=a-s1,a-s2,a-s3 10x3=b-s1,b-s2,b-s3\n  "
    "brewery compare here /mnt/cluster/runs/there --json";

struct compare_arguments {
  std::vector<std::string> contenders;
  std::string arm;
  std::string runs_dir;
  bool json = false;
};

result<run_group> group_of(const std::string& word,
                           const compare_arguments& arguments) {
  const auto root = runs_directory(arguments.runs_dir);
  run_group out;
  std::vector<std::string> runs{word};
  const auto equals = word.find('=');
  std::error_code ignored;
  if (equals != std::string::npos && !std::filesystem::exists(word, ignored)) {
    out.name = word.substr(0, equals);
    runs.clear();
    for (const auto run : split(std::string_view{word}.substr(equals + 1), ','))
      runs.emplace_back(run);
    if (out.name.empty())
      return error{ec::invalid_argument,
                   fmt::format("compare: no name before '=' in \"{}\"", word)};
  }
  for (const auto& run : runs) {
    if (run.empty())
      return error{ec::invalid_argument,
                   fmt::format("compare: an empty run in \"{}\": write "
                               "NAME=RUN,RUN",
                               word)};
    const auto path = locate_run(run, root);
    if (!path) return path.error();
    auto measured = measured_run_in(*path, arguments.arm);
    if (!measured) return measured.error();
    out.runs.push_back(std::move(*measured));
  }
  if (out.name.empty()) out.name = word;
  return out;
}

int compare_command(const compare_arguments& arguments) {
  std::vector<run_group> contenders;
  std::vector<error> problems;
  for (const auto& word : arguments.contenders) {
    auto one = group_of(word, arguments);
    if (one)
      contenders.push_back(std::move(*one));
    else
      problems.push_back(one.error());
  }
  if (!problems.empty()) return report(problems);
  const auto made = compare(contenders);
  if (!made) return report(made.error());
  const auto text = arguments.json
                        ? json_line("comparison", comparison_json(*made))
                        : comparison_text(*made);
  std::fputs(text.c_str(), stdout);
  return exit_ok;
}

} // namespace

void add_compare_command(CLI::App& app, chosen_command& chosen) {
  auto* command =
      add_command(app, "compare", "Compare the scores of runs, paired by task.",
                  compare_footer);
  auto arguments = std::make_shared<compare_arguments>();
  command
      ->add_option("RUN", arguments->contenders,
                   "Run id or directory, or NAME=RUN,RUN,... for runs of "
                   "several seeds.")
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

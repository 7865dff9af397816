/// `brewery config check|print`.

#include "cli/commands.hpp"
#include "cli/configuration.hpp"
#include "cli/json_line.hpp"
#include "cli/logging.hpp"
#include "cli/terminal.hpp"
#include "config/print.hpp"
#include "config/rules.hpp"
#include "run/setup/preflight.hpp"

#include <algorithm>
#include <memory>

namespace brewery {

namespace {

constexpr const char* check_footer =
    "Reads the file, the environment and --set as `brewery run` does, and "
    "finds what a run would\nrefuse: wrong options, missing files, splits with "
    "common tasks, models that the catalog\nlacks, missing keys and programs. "
    "Of an external command only the program is looked for, not\na script "
    "among its arguments: --deep finds that. It also starts the program, "
    "calls each model\nonce and plays one train task. Each problem is one "
    "line on standard error with file, line, key,\nvalue and what is "
    "expected. Exit code 2 if there is a problem.\n\nExamples:\n"
    "  brewery config check config/telecom-example.toml --set "
    "search.iterations=3\n"
    "  brewery config check my.toml --deep";

constexpr const char* print_footer =
    "Prints to standard output the complete configuration that a run would "
    "use, each option\nwith its meaning and range, as TOML that loads back "
    "to the same configuration.\nPrecedence: default < file < "
    "BREWERY_SECTION__KEY < --set.\n\n"
    "Examples:\n"
    "  brewery config print                        every option's default\n"
    "  brewery config print my.toml --origin       where each value is from\n"
    "  BREWERY_RUN__SEED=7 brewery config print my.toml --format json\n"
    "  brewery config print --format example > my.toml";

struct check_arguments {
  config_arguments configuration;
  bool deep = false;
  bool json = false;
};

struct print_arguments {
  config_arguments configuration;
  bool origin = false;
  std::string format = "toml";
};

void print_text(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

int check(const check_arguments& arguments) {
  const auto loaded = load_from(arguments.configuration);
  auto problems = loaded.problems;
  // What an environment needs is not known of one that there is not.
  const bool is_kind_wrong =
      std::ranges::any_of(problems, [](const error& one) {
        return one.message.find("environment.kind = ") != std::string::npos;
      });
  if (loaded.file_read && !is_kind_wrong)
    for (auto& missing : missing_inputs(loaded))
      problems.push_back(std::move(missing));
  // What depends on data and models is checked once the options are right.
  if (problems.empty()) {
    set_up_logging(loaded.value.run.log_level);
    problems =
        preflight(loaded.value, {arguments.deep, [&](const std::string& step) {
                                   if (arguments.deep && !arguments.json)
                                     std::fprintf(stderr, "%s\n", step.c_str());
                                 }});
  }
  if (arguments.json) {
    nlohmann::ordered_json out{{"ok", problems.empty()},
                               {"problems", nlohmann::ordered_json::array()}};
    for (const auto& problem : problems)
      out["problems"].push_back(
          {{"code", to_string(problem.code)}, {"message", problem.message}});
    if (!loaded.hints.empty()) out["hints"] = loaded.hints;
    print_text(json_line("configuration", out));
  } else if (problems.empty()) {
    print_text(arguments.configuration.file + ": ok\n");
  }
  report(problems);
  return problems.empty() ? exit_ok : exit_usage;
}

int print_config(const print_arguments& arguments) {
  if (arguments.format == "example") return print_text(example_toml()), exit_ok;
  if (arguments.format == "markdown")
    return print_text(options_markdown()), exit_ok;
  const auto loaded = load_from(arguments.configuration);
  if (!loaded.problems.empty()) {
    report(loaded.problems);
    return exit_usage;
  }
  if (arguments.format == "json")
    print_text(to_json(loaded.value) + '\n');
  else if (arguments.origin)
    print_text(to_toml(loaded.value, loaded.origins));
  else
    print_text(to_toml(loaded.value));
  return exit_ok;
}

void add_check(CLI::App& parent, chosen_command& chosen) {
  auto* command = add_command(parent, "check",
                              "Check whether a run could use a configuration.",
                              check_footer);
  auto arguments = std::make_shared<check_arguments>();
  command
      ->add_option("CONFIG", arguments->configuration.file,
                   "Configuration file (TOML).")
      ->required();
  add_override_option(*command, arguments->configuration);
  command->add_flag("--deep", arguments->deep,
                    "Also start the program, call each model once and play "
                    "one task. This may cost money.");
  command->add_flag("--json", arguments->json,
                    "JSON lines on standard output: the answer, then an "
                    "error for each mistake.");
  command->callback(
      [arguments, &chosen] { chosen = [=] { return check(*arguments); }; });
}

void add_print(CLI::App& parent, chosen_command& chosen) {
  auto* command = add_command(
      parent, "print", "Print every option with its value.", print_footer);
  auto arguments = std::make_shared<print_arguments>();
  command->add_option("CONFIG", arguments->configuration.file,
                      "Configuration file (TOML); default: none.");
  add_override_option(*command, arguments->configuration);
  command->add_flag("--origin", arguments->origin,
                    "Show the source of each value.");
  command
      ->add_option("--format", arguments->format,
                   "toml or json; example or markdown: all options with "
                   "their defaults.")
      ->check(CLI::IsMember({"toml", "json", "example", "markdown"}))
      ->capture_default_str();
  command->callback([arguments, &chosen] {
    chosen = [=] { return print_config(*arguments); };
  });
}

} // namespace

void add_config_commands(CLI::App& app, chosen_command& chosen) {
  auto* group = add_command(app, "config",
                            "Check or print a configuration: check, print.",
                            "Options are described in config/OPTIONS.md.");
  group->require_subcommand(1);
  add_check(*group, chosen);
  add_print(*group, chosen);
}

} // namespace brewery

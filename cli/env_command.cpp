/// `brewery env`: whether this machine can run environments that need more than
/// the program.

#include "base/printable.hpp"
#include "cli/commands.hpp"
#include "cli/configuration.hpp"
#include "cli/json_line.hpp"
#include "cli/logging.hpp"
#include "cli/terminal.hpp"
#include "run/setup/spreadsheet_setup.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

constexpr const char* env_footer =
    "Starts each service and prints what it finds: the isolation of the "
    "agent's code, of\nLibreOffice and of the grader, and why a stronger one "
    "is "
    "not available, versions, and what\nis missing and how to install it. Exit "
    "code 0 if everything works.\n\nExamples:\n  brewery env check\n  brewery "
    "env check --config "
    "my.toml --json";

/// The first LibreOffice with XLOOKUP, FILTER and LET.
constexpr int office_wanted = 25;

struct env_check_arguments {
  std::string kind{spreadsheet::benchmark_name};
  std::string config;
  bool json = false;
};

struct part_report {
  std::string name;
  bool works = false;
  std::vector<std::string> lines;
  std::string advice; ///< empty: nothing to do
};

/// The Debian package of what a message reports as missing.
std::string advice_for(const std::string& message, std::string otherwise) {
  if (message.find("did not introduce itself within") != std::string::npos)
    return "the machine may be busy: a larger "
           "environment.spreadsheet.start_timeout_ms gives it more time";
  static const std::pair<std::string_view, std::string_view> known[] = {
      {"openpyxl", "python3-openpyxl"},
      {"pandas", "python3-pandas"},
      {"numpy", "python3-numpy"},
      {"'uno'", "python3-uno"},
      {"soffice", "libreoffice-calc python3-uno"},
      {"bwrap", "bubblewrap"},
      {"no program", "python3"}};
  for (const auto& [word, package] : known)
    if (message.find(word) != std::string::npos)
      return fmt::format("apt-get install {}", package);
  return otherwise;
}

void add_isolation(part_report& part,
                   const spreadsheet::isolation_facts& facts) {
  part.lines.push_back("isolation " + facts.isolation);
  for (const auto& [rung, why] : facts.rungs)
    part.lines.push_back(fmt::format("  {}: {}", rung, why));
}

part_report check_kernels(spreadsheet::kernel_port& port) {
  part_report out{"kernels", false, {}, {}};
  const auto about = port.about();
  if (!about) {
    out.lines.push_back(about.error().message);
    out.advice = advice_for(about.error().message,
                            "apt-get install bubblewrap python3-openpyxl "
                            "python3-pandas");
    return out;
  }
  out.works = true;
  add_isolation(out, *about);
  out.lines.push_back(fmt::format("python {}, openpyxl {}, pandas {}, numpy {}",
                                  about->python, about->openpyxl, about->pandas,
                                  about->numpy));
  return out;
}

part_report check_office(spreadsheet::recalculation_port& port) {
  part_report out{"recalculation", false, {}, {}};
  const auto about = port.about();
  if (!about) {
    out.lines.push_back(about.error().message);
    out.advice = advice_for(about.error().message,
                            "apt-get install libreoffice-calc python3-uno");
    return out;
  }
  out.works = true;
  if (const auto found = port.isolation()) add_isolation(out, *found);
  out.lines.push_back("LibreOffice " + *about);
  if (std::atoi(about->c_str()) < office_wanted)
    out.advice = "it lacks XLOOKUP, FILTER, SORT, UNIQUE, LET: apt-get install "
                 "-t bookworm-backports libreoffice-calc python3-uno";
  return out;
}

part_report check_grader(spreadsheet::grader_port& port) {
  part_report out{"grader", false, {}, {}};
  const auto about = port.about();
  if (about) {
    out.works = true;
    if (const auto found = port.isolation()) add_isolation(out, *found);
    out.lines.push_back("openpyxl " + *about);
  } else {
    out.lines.push_back(about.error().message);
    out.advice =
        advice_for(about.error().message, "apt-get install python3-openpyxl");
  }
  return out;
}

std::string text_of(const std::vector<part_report>& parts) {
  std::string out;
  for (const auto& part : parts) {
    out += fmt::format("{}: {}\n", part.name,
                       part.works ? "works" : "does not work");
    for (const auto& line : part.lines)
      out += "  " + printable(line) + "\n";
    if (!part.advice.empty()) out += "  advice: " + part.advice + "\n";
  }
  return out;
}

nlohmann::ordered_json json_of(const std::vector<part_report>& parts) {
  nlohmann::ordered_json out{{"event", "environment"}};
  for (const auto& part : parts)
    out[part.name] = {
        {"works", part.works}, {"found", part.lines}, {"advice", part.advice}};
  return out;
}

result<spreadsheet_settings> options_of(const env_check_arguments& arguments) {
  spreadsheet_settings out;
  if (arguments.config.empty()) return out;
  const auto loaded = load_from({arguments.config, {}});
  if (!loaded.problems.empty()) return loaded.problems.front();
  if (const auto& kind = loaded.value.environment.kind; kind != "spreadsheet")
    return error{
        ec::invalid_config,
        fmt::format("{}: environment.kind = \"{}\": `env check` knows "
                    "the parts of \"spreadsheet\"; try `brewery config "
                    "check {} --deep`",
                    arguments.config, kind, arguments.config)};
  return loaded.value.environment.spreadsheet;
}

int check_environment(const env_check_arguments& arguments) {
  set_up_logging("warn");
  const auto options = options_of(arguments);
  if (!options) {
    report(options.error());
    return exit_usage;
  }
  const auto services =
      spreadsheet::make_services(spreadsheet_setup(*options).services);
  if (!services) return report(services.error());
  const std::vector<part_report> parts{check_kernels(*services->kernels),
                                       check_office(*services->recalculation),
                                       check_grader(*services->grader)};
  const auto text = arguments.json ? json_line(json_of(parts)) : text_of(parts);
  std::fputs(text.c_str(), stdout);
  const bool all = std::all_of(parts.begin(), parts.end(),
                               [](const auto& part) { return part.works; });
  return all ? exit_ok : exit_failed;
}

} // namespace

void add_env_commands(CLI::App& app, chosen_command& chosen) {
  auto* group = add_command(
      app, "env", "Check what environments need on this machine.", "");
  group->require_subcommand(1);
  auto* command = add_command(
      *group, "check", "Check what works on this machine and what is missing.",
      env_footer);
  auto arguments = std::make_shared<env_check_arguments>();
  command->add_option("--env", arguments->kind, "The environment.")
      ->check(CLI::IsMember({std::string{spreadsheet::benchmark_name}}))
      ->capture_default_str();
  command->add_option("--config", arguments->config,
                      "Configuration whose [environment] is checked.");
  command->add_flag("--json", arguments->json, "As a JSON line.");
  command->callback([arguments, &chosen] {
    chosen = [=] { return check_environment(*arguments); };
  });
}

} // namespace brewery

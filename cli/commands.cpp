#include "cli/commands.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <limits>

namespace brewery {

CLI::App* add_command(CLI::App& parent, const std::string& name,
                      const std::string& sentence, const std::string& footer) {
  auto* command = parent.add_subcommand(name, sentence);
  command->footer(footer);
  return command;
}

void add_override_option(CLI::App& command, config_arguments& arguments) {
  command
      .add_option("--set", arguments.overrides,
                  "Override an option: section.key=value, as in TOML or a "
                  "bare word. May be repeated.")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

CLI::Option* add_runs_dir_option(CLI::App& command, std::string& runs_dir) {
  return command.add_option(
      "--runs-dir", runs_dir,
      "Directory that holds the runs; default: run.runs_dir.");
}

std::string not_empty(const std::string& value) {
  return value.empty() ? "must not be empty" : "";
}

std::string seed_number(const std::string& value) {
  if (whole_number<std::uint64_t>(value)) return "";
  return fmt::format("{} is not a whole number from 0 to {}", value,
                     std::numeric_limits<std::uint64_t>::max());
}

CLI::Validator number_from(double least, double most) {
  return {[least, most](std::string& text) {
            double value = 0;
            return CLI::detail::lexical_cast(text, value) && value >= least
                           && value <= most
                       ? std::string{}
                       : fmt::format("{} is not a number from {} to {}", text,
                                     least, most);
          },
          fmt::format("FLOAT in [{} - {}]", least, most)};
}

} // namespace brewery

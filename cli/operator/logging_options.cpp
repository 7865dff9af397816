#include "cli/operator/logging_options.hpp"

#include "cli/logging.hpp"
#include "run/logging/log_sink.hpp"

namespace brewery {

void add_logging_options(CLI::App& command, logging_arguments& arguments) {
  command.add_option("--log-level", arguments.level)
      ->check(CLI::IsMember(log_levels))
      ->capture_default_str();
  command
      .add_option("--log-format", arguments.format,
                  "text, or json: an object for each line, with run, job and "
                  "worker where it is about one.")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
}

void set_up_logging(const logging_arguments& arguments, const json& always) {
  set_up_logging(arguments.level);
  if (arguments.format == "json") log_as_json(always);
}

} // namespace brewery

#include "apps/commands.hpp"
#include "apps/configuration.hpp"
#include "apps/terminal.hpp"

namespace brewery {

int run_command(const run_arguments& arguments) {
  const auto configuration = usable_config_from(arguments.configuration);
  if (configuration.code != exit_ok) return configuration.code;
  return report(error{ec::internal, "this build has no search"});
}

int resume_command(const resume_arguments& arguments) {
  return report(
      error{ec::internal, "this build cannot resume " + arguments.run});
}

int eval_command(const eval_arguments& arguments) {
  const auto configuration = usable_config_from(arguments.configuration);
  if (configuration.code != exit_ok) return configuration.code;
  return report(error{ec::internal, "this build cannot evaluate"});
}

} // namespace brewery

#include "cli/configuration.hpp"

#include "cli/terminal.hpp"
#include "config/rules.hpp"

namespace brewery {

std::filesystem::path installed_data() {
  std::error_code failed;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) return {};
  return (program.parent_path() / BREWERY_DATA_FROM_PROGRAM).lexically_normal();
}

loaded_config load_from(const config_arguments& arguments) {
  auto loaded =
      load_config({.file = arguments.file,
                   .overrides = arguments.overrides,
                   .environment = brewery_environment(),
                   .working_directory = std::filesystem::current_path(),
                   .stored = arguments.stored,
                   .installed = installed_data()});
  print_hints(loaded.hints);
  return loaded;
}

void without_economy(config_arguments& arguments) {
  const std::initializer_list<const char*> off{
      "economy.reuse=off", "economy.audit_reuse=0", "economy.reuse_from=[]"};
  arguments.overrides.insert(arguments.overrides.begin(), off.begin(),
                             off.end());
}

std::filesystem::path runs_directory(const std::string& runs_dir) {
  if (!runs_dir.empty()) return runs_dir;
  return load_from({}).value.run.runs_dir;
}

usable_config usable_config_from(const config_arguments& arguments) {
  auto loaded = load_from(arguments);
  auto problems = loaded.problems;
  if (problems.empty()) problems = missing_inputs(loaded);
  // Any problem is one of the configuration, which the user has to change.
  const int code = problems.empty() ? exit_ok : exit_usage;
  report(problems);
  return {std::move(loaded.value), code};
}

} // namespace brewery

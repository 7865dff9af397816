#include "cli/configuration.hpp"

#include "base/file.hpp"
#include "base/printable.hpp"
#include "cli/terminal.hpp"
#include "config/rules.hpp"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace brewery {

std::filesystem::path installed_data() {
  std::error_code failed;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) return {};
  return (program.parent_path() / BREWERY_DATA_FROM_PROGRAM).lexically_normal();
}

loaded_config load_from(const config_arguments& arguments) {
  auto here = working_directory();
  if (!here) {
    loaded_config out;
    out.file_read = false;
    out.problems.push_back(here.error());
    return out;
  }
  auto loaded = load_config({.file = arguments.file,
                             .overrides = arguments.overrides,
                             .environment = brewery_environment(),
                             .working_directory = std::move(*here),
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
  const auto loaded = load_from({});
  static bool told = false; // some commands ask for it twice
  if (std::exchange(told, true)) return loaded.value.run.runs_dir;
  for (const auto& one : loaded.problems)
    // What defaults lack without a file is not wrong with the environment.
    if (!loaded.file_read || one.message.starts_with("BREWERY_"))
      // The command goes on, so it has not failed.
      std::fprintf(stderr, "brewery: warning: %s\n",
                   single_line(one.message).c_str());
  return loaded.value.run.runs_dir;
}

std::string runs_directory_named_by(const std::string& runs_dir) {
  constexpr const char* variable = "BREWERY_RUN__RUNS_DIR";
  if (!runs_dir.empty()) return "--runs-dir";
  const char* value = std::getenv(variable);
  return value && *value ? variable : "";
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

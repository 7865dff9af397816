#include "run/resume/stored_options.hpp"

#include "base/toml_reader.hpp"
#include "config/option.hpp"

#include <fmt/format.h>

namespace brewery {

bool may_change(const std::string& key) {
  if (key.ends_with(".max_tokens")) return true; // of a role's replies
  for (const char* section : {"run.", "cluster.", "models.", "budget."})
    if (key.starts_with(section)) return key != "run.seed";
  return false;
}

result<loaded_config>
stored_options(const run_directory& directory,
               const std::vector<std::string>& overrides) {
  auto loaded =
      load_config({.file = std::filesystem::absolute(directory.config()),
                   .overrides = overrides,
                   .environment = {},
                   .working_directory = std::filesystem::current_path()});
  if (!loaded.problems.empty()) return loaded;
  for (const auto& [key, origin] : loaded.origins)
    if (origin == "--set" && !may_change(key))
      return error{
          ec::invalid_argument,
          fmt::format(
              "--set {}: results depend on it, so a run keeps its first value; "
              "only run.* (but for run.seed), cluster.*, models.*, budget.* "
              "and max_tokens of a role can be changed",
              key)};
  return loaded;
}

std::vector<option_change> changes(const config& before,
                                   const loaded_config& now) {
  std::vector<option_change> out;
  for (const auto& [key, origin] : now.origins) {
    const auto* item = find_option(key);
    if (origin != "--set" || item == nullptr) continue;
    auto was = write_toml(item->get(before)),
         is = write_toml(item->get(now.value));
    if (was != is) out.push_back({key, std::move(was), std::move(is)});
  }
  return out;
}

} // namespace brewery

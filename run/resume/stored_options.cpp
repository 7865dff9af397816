#include "run/resume/stored_options.hpp"

#include "base/file.hpp"
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

result<void> check_whole(const run_directory& directory,
                         const loaded_config& read) {
  const auto text = read_plain_file(directory.config());
  if (!text) return text.error();
  // What a run writes ends with these sections. Of a file made by hand nobody
  // knows what should be there.
  const bool by_run = text->starts_with("# Effective configuration of brewery");
  const bool cut =
      by_run
      && (!text->ends_with('\n') || !read.origins.contains("models.catalog"));
  // What has problems has options, which are named by these.
  if (!cut && (!read.origins.empty() || !read.problems.empty())) return {};
  return error{ec::corrupt,
               fmt::format("{} {}: restore it from a copy, or start a new run",
                           directory.config().string(),
                           cut ? "ends in the middle" : "has no option")};
}

result<loaded_config>
stored_options(const run_directory& directory,
               const std::vector<std::string>& overrides) {
  std::error_code gone; // then the run's directory is not found either
  auto loaded =
      load_config({.file = std::filesystem::absolute(directory.config(), gone),
                   .overrides = overrides,
                   .environment = {},
                   // Its file has no relative paths, but overrides may.
                   .working_directory = std::filesystem::current_path(gone)});
  if (!loaded.file_read) return loaded;
  if (auto whole = check_whole(directory, loaded); !whole) return whole.error();
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

result<config> stored_config(const run_directory& directory) {
  auto loaded = stored_options(directory);
  if (!loaded) return loaded.error();
  if (!loaded->problems.empty()) return loaded->problems.front();
  return std::move(loaded->value);
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

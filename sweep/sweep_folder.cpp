#include "sweep/sweep_folder.hpp"

#include "base/file.hpp"
#include "config/option.hpp"
#include "config/print.hpp"
#include "run/resume/stored_options.hpp"
#include "run/resume/stored_summary.hpp"
#include "run/run_identity.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

bool has_log(const run_directory& run) {
  std::error_code ignored;
  return std::filesystem::exists(run.config(), ignored)
         && std::filesystem::exists(run.events(), ignored);
}

std::optional<run_directory> run_with_log(const std::filesystem::path& sweep,
                                          const std::string& run) {
  auto directory = run_directory::open(sweep, run);
  if (!directory || !has_log(*directory)) return std::nullopt;
  return *directory;
}

/// The first option by which they differ, as "key = before, now after".
std::string difference(const config& before, const config& now) {
  for (const auto& section : schema())
    for (const auto& item : section.options)
      if (item.get(before) != item.get(now))
        return fmt::format("{} = {}, and now {}", item.key(),
                           write_toml(item.get(before)),
                           write_toml(item.get(now)));
  return "other options";
}

} // namespace

result<void> can_go_on_in(const std::filesystem::path& sweep,
                          const std::string& run, const config& options,
                          std::string_view place) {
  const auto directory = run_with_log(sweep, run);
  if (!directory) return {};
  auto stored = stored_config(*directory);
  if (!stored) return stored.error();
  const auto now = what_decides(options);
  auto before = what_decides(*stored);
  if (before.search.iterations < now.search.iterations)
    before.search.iterations = now.search.iterations;
  if (before == now) return {};
  return error{ec::invalid_argument,
               fmt::format("run {} in {} began with {}: give the point another "
                           "name, or the sweep another {}",
                           run, sweep.string(), difference(before, now),
                           place)};
}

result<open_folder> open_run(const std::filesystem::path& sweep,
                             const std::string& run, const config& options) {
  if (auto known = run_with_log(sweep, run)) {
    auto stored = stored_summary(*known, options);
    if (!stored) return stored.error();
    if (*stored) return open_folder{*known, std::move(**stored), nullptr};
    auto log = event_log::open(known->path());
    if (!log) return log.error();
    if (auto ok = write_file_atomically(known->config(), to_toml(options)); !ok)
      return ok.error();
    return open_folder{*known, std::nullopt, std::move(*log)};
  }
  run_directory::discard_unbegun(sweep, run);
  auto made = run_directory::create(sweep, run);
  if (!made) return made.error();
  auto log = begin_log(*made, to_toml(options));
  if (!log) return log.error();
  return open_folder{*made, std::nullopt, std::move(*log)};
}

} // namespace brewery

/// How a run comes onto the runtime: its configuration as it is carried out on
/// this machine, its models and its log.

#include "base/file.hpp"
#include "config/model_use.hpp"
#include "run/resume/stored_options.hpp"
#include "run/setup/run_checks.hpp"
#include "server/managed_run.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace fs = std::filesystem;

result<std::unique_ptr<event_log>> log_of(const run_directory& directory) {
  for (const auto& file :
       {directory.events(), directory.path() / "events.ack"}) {
    std::error_code failed;
    if (fs::exists(file, failed)) return event_log::open(directory.path());
    if (failed) return file_error(failed.value(), "read", file);
  }
  return event_log::create(directory.path());
}

result<config> coordinator_service::localised(config options) const {
  auto& wanted = options.environment;
  const auto offer =
      std::find_if(options_.environments.begin(), options_.environments.end(),
                   [&](const auto& o) { return o.kind == wanted.kind; });
  const bool offered = offer != options_.environments.end();
  if (offered && !offer->options.data.empty())
    wanted.data = offer->options.data;
  if (wanted.runs_program() && !offered)
    return error{
        ec::invalid_argument,
        fmt::format("this coordinator starts no programs that a "
                    "submitted configuration names; start it with "
                    "--env {0}={1} or {0}=FILE.toml",
                    wanted.kind,
                    wanted.kind == "external" ? "COMMAND" : "CHECKOUT")};
  // An operator must not decide which programs start on this machine.
  wanted.take_programs(offered ? offer->options : environment_options{});
  if (options.embedder.kind == "sentence") {
    if (!offered || offer->embedder.kind != "sentence")
      return error{
          ec::invalid_argument,
          fmt::format("this coordinator has no sentence model; start it with "
                      "--env {}=FILE.toml, a file whose [embedder] is of kind "
                      "sentence",
                      wanted.kind)};
    options.embedder.take_machine(offer->embedder);
  }
  // Nor which of this machine's files become documents.
  if (!options.muse.memory.empty())
    return error{ec::invalid_argument,
                 "muse.memory names a directory of the machine that plays the "
                 "run; begin with a memory in a run of one process"};
  if (!options.memory_port.command.empty())
    return error{ec::invalid_argument,
                 "memory_port.command: a coordinator starts no programs that a "
                 "submitted configuration names; attach a memory in a run of "
                 "one process"};
  // Nor where this machine's keys are sent.
  options.models.catalog =
      options_.models.empty() ? fs::path{} : fs::absolute(options_.models);
  return options;
}

result<std::shared_ptr<model_service>>
coordinator_service::service_for(const config& options) {
  if (models_used(options).empty()) return std::shared_ptr<model_service>{};
  if (options.models.catalog.empty())
    return error{ec::invalid_argument,
                 "a role of this configuration uses a language model, and "
                 "this coordinator has none; start it with --models FILE"};
  auto service = service_of(options.models.catalog);
  if (!service || (*service)->check(options)) return service;
  // What was missing when the catalog was read may be there by now.
  auto anew = model_service::start(options.models.catalog, runtime_->metrics());
  if (!anew) return anew.error();
  if (auto ok = (*anew)->check(options); !ok) return ok.error();
  services_[options.models.catalog] = *anew;
  return anew;
}

result<std::shared_ptr<model_service>>
coordinator_service::service_of(const fs::path& catalog) {
  auto& service = services_[catalog];
  if (!service) {
    auto started = model_service::start(catalog, runtime_->metrics());
    if (!started) return started.error();
    service = std::move(*started);
  }
  return service;
}

result<config>
coordinator_service::options_of(const run_directory& directory) const {
  auto stored = stored_config(directory);
  if (!stored) return stored.error();
  return localised(std::move(*stored));
}

result<void>
coordinator_service::still_fits(const run_directory& directory) const {
  const auto options = options_of(directory);
  if (!options) return options.error();
  const auto what = load_problem(*options);
  if (!what) return what.error();
  return can_go_on(directory, *options, *what);
}

result<void> coordinator_service::host(const run_directory& directory,
                                       std::optional<problem> what) {
  auto about = read_submission(directory);
  if (!about) return about.error();
  const auto options = options_of(directory);
  if (!options) return options.error();
  if (!what) {
    auto loaded_now = load_problem(*options);
    if (!loaded_now) return loaded_now.error();
    what = std::move(*loaded_now);
  }
  what->source->release_children();
  auto service = service_for(*options);
  if (!service) return service.error();
  result<run_models> models{run_models{}};
  if (*service)
    models = models_of(std::move(*service), *options, directory.path(), {});
  if (!models) return models.error();
  auto log = log_of(directory);
  if (!log) return log.error();
  run_inputs inputs{*options,
                    directory,
                    std::move(*log),
                    {about->weight, about->priority},
                    true,
                    std::move(*models),
                    {}};
  inputs.abandoned = options_.stopped;
  inputs.hold_after = about->hold_after;
  groups_->add(*about, directory);
  inputs.jobs_of_others = share_of(about->group);
  if (const auto group = groups_->all().find(about->group);
      group != groups_->all().end())
    for (const auto& [run, state] : group->second)
      if (run != directory.id())
        inputs.siblings.push_back(directory.path().parent_path() / run);
  if (inputs.jobs_of_others)
    inputs.why_stop = [&budget = groups_->budget(about->group),
                       id = directory.id()](double cost_usd) {
      return budget.note(id, cost_usd, group_budget::clock::now());
    };
  note_readable(directory.id());
  auto run = std::make_unique<managed_run>(
      *runtime_, about->group, std::move(inputs), std::move(*what),
      managed_run_events{[this, directory](const error& why) {
                           note_unreadable(directory, why);
                         },
                         [this] {
                           const std::lock_guard guard{mutex_};
                           run_ended_ = true;
                           changed_.notify_one();
                         }});
  runs_[directory.id()] = std::move(run);
  return {};
}

} // namespace brewery

#include "sweep/run_player.hpp"

#include "config/model_use.hpp"
#include "sweep/sweep_folder.hpp"

namespace brewery {

namespace {

/// In order of their names, so that each run reads them alike.
std::vector<std::filesystem::path>
other_runs(const std::filesystem::path& sweep, const std::string& run) {
  std::vector<std::filesystem::path> out;
  const auto all = run_directory::list(sweep);
  if (!all) return out;
  for (const auto& one : *all)
    if (one.id() != run) out.push_back(one.path());
  return out;
}

} // namespace

result<run_summary> run_player::play(const std::string& run,
                                     const config& options,
                                     std::optional<std::uint32_t> hold_after) {
  auto opened = open_run(sweep_, run, options);
  if (!opened) return opened.error();
  if (opened->summary) return std::move(*opened->summary);
  const auto what = load_problem(options);
  if (!what) return what.error();
  // Worker processes play, with children of their own.
  if (options.run.workers > 0) what->source->release_children();
  auto models = models_for(options, opened->directory.path());
  if (!models) return models.error();
  run_inputs inputs{
      options, opened->directory, std::move(opened->log), {}, false, *models,
      {}};
  inputs.options.environment.needs.clear(); // this machine was chosen
  inputs.jobs_of_others = share_;
  inputs.siblings = other_runs(sweep_, run);
  inputs.hold_after = hold_after;
  const run_id id{run};
  inputs.on_runner = [this, id](std::shared_ptr<const job_runner> runner) {
    table_.set_runner(id, std::move(runner));
  };
  return run_on_cluster(on_, std::move(inputs), *what,
                        [&](run_executor* executor) {
                          table_.set_executor(id, executor, *models);
                        });
}

/// Runs of one catalog share its servers' limits.
result<run_models> run_player::models_for(const config& options,
                                          const std::filesystem::path& run) {
  if (models_used(options).empty()) return run_models{};
  std::shared_ptr<model_service> service;
  {
    const std::lock_guard lock{mutex_};
    auto& known = services_[options.models.catalog];
    if (!known) {
      auto made = model_service::start(options.models.catalog, on_.metrics());
      if (!made) return made.error();
      known = std::move(*made);
    }
    service = known;
  }
  return models_of(std::move(service), options, run, {});
}

} // namespace brewery

/// `brewery eval`: evaluates a knowledge base on a split, with pass^k.

#include "base/printable.hpp"
#include "cli/commands.hpp"
#include "cli/configuration.hpp"
#include "cli/json_line.hpp"
#include "cli/locate.hpp"
#include "cli/logging.hpp"
#include "cli/progress_printer.hpp"
#include "cli/terminal.hpp"
#include "run/interrupt.hpp"
#include "run/results.hpp"
#include "run/run_executor.hpp"
#include "run/run_watch.hpp"
#include "run/setup/job_runner_factory.hpp"
#include "run/setup/problem.hpp"
#include "run/setup/run_checks.hpp"
#include "run/setup/run_models.hpp"
#include "run/setup/splits.hpp"
#include "store/folder.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

struct measured_kb {
  std::vector<arm_result> arms;
  std::string spent; ///< on models, as a run's progress shows it
  nlohmann::ordered_json models;
};

nlohmann::ordered_json json_of(const measured_kb& measured) {
  nlohmann::ordered_json out{{"event", "evaluation"}};
  out["arms"] = nlohmann::ordered_json::array();
  for (const auto& arm : measured.arms)
    out["arms"].push_back(arm_json(arm));
  for (const char* key : {"cost_usd", "tokens", "calls"})
    if (measured.models.contains(key)) out[key] = measured.models[key];
  return out;
}

std::string text_of(const measured_kb& measured) {
  auto out = arms_text(measured.arms);
  if (!measured.spent.empty()) out += "spent      " + measured.spent + '\n';
  return out;
}

/// There is no recording of an evaluation, so no resume either.
error with_repeat_advice(error why) {
  if (may_go_on(why))
    why.message += "; nothing of an evaluation is kept: once the cause is "
                   "mended, repeat the whole command";
  return why;
}

/// The arm without a KB, then the arm with it.
result<measured_kb> evaluate(const config& options, const kb_folder& folder,
                             const std::string& split, std::uint32_t trials,
                             progress_style progress) {
  set_up_logging(options.run.log_level);
  auto what = load_problem(options);
  if (!what) return what.error();
  const auto tasks = tasks_called(split, *what, options.environment);
  if (!tasks) return tasks.error();
  cluster_runtime_inputs inputs;
  inputs.metrics = std::make_shared<process_metrics>();
  // An evaluation stores nothing, so there is nothing to resume.
  auto models = open_models(options, {}, {}, inputs.metrics);
  if (!models) return models.error();
  inputs.blobs = std::make_shared<blob_registry>();
  inputs.cluster = options.cluster.options();
  inputs.threads = options.run.threads;
  const auto shop =
      make_job_runner(options, what->source, inputs.blobs->documents,
                      inputs.metrics, models->broker);
  if (!shop) return shop.error();
  inputs.runners = [runner = shop->runner](const run_id&) { return runner; };
  for (const auto& entry : folder.kb.entries())
    inputs.blobs->documents->add(entry.doc->body);
  const auto settings = evaluation_settings(
      options, *what, fingerprints_of(*shop, *models, *what));
  if (!settings) return settings.error();
  auto on = cluster_runtime::start(std::move(inputs));
  if (!on) return on.error();
  run_executor machine{**on, {{"eval"}, {}, {}, {}, nullptr, {}, false}};
  machine.board().update([&](progress_view& view) {
    view.evaluations_left = 2 * std::uint64_t{trials} * tasks->size();
  });
  progress_printer printer{progress};
  std::vector<evaluation_record> records;
  {
    const run_watch limits{machine, *models, options.budget.max_hours};
    interrupt_watch watch{[&] {
                            if (models->broker)
                              models->broker->stop({ec::cancelled, "stopped"});
                            machine.stop();
                          },
                          [&] {
                            auto view = machine.board().view();
                            view.models = models_text(*models);
                            view.spent = cost_text(*models);
                            printer.show(view,
                                         std::chrono::steady_clock::now());
                          }};
    const std::vector<evaluation_arm> arms{
        {"no KB", *settings, {}}, {"with KB", *settings, folder.kb.refs()}};
    const auto done = machine.evaluate(arms, split, *tasks, trials,
                                       [&](evaluation_record arm) {
                                         records.push_back(std::move(arm));
                                         return result<void>{};
                                       });
    if (const auto why = limits.why(); why && !done) {
      if (models->broker) models->broker->close();
      return with_repeat_advice(stopped_because(*models, *why));
    }
    if (!done)
      return watch.interrupted() ? error{ec::cancelled, "stopped"}
                                 : done.error();
  }
  printer.finish();
  return measured_kb{compare_arms(records, trials), models_text(*models),
                     models_json(*models)};
}

} // namespace

int eval_command(const eval_arguments& arguments) {
  interrupt_watch::block_signals();
  auto source = arguments.configuration;
  const auto runs = source.file.empty() || !arguments.runs_dir.empty()
                        ? runs_directory(arguments.runs_dir)
                        : load_from(source).value.run.runs_dir;
  const auto path = locate_kb(arguments.kb, runs);
  if (!path) return report(path.error());
  if (source.file.empty()) {
    const auto own = config_of_run(*path);
    if (!own) return report(own.error());
    source.file = *own;
    source.stored = true;
  }
  without_economy(source);
  auto configuration = usable_config_from(source);
  if (configuration.code != exit_ok) return configuration.code;
  auto& options = configuration.value;
  const auto folder = read_knowledge_base(*path);
  if (!folder) return report(folder.error());
  for (const auto& warning : folder->warnings)
    std::fprintf(stderr, "brewery: note: %s\n", single_line(warning).c_str());
  if (options.search.learner != "brew")
    std::fprintf(stderr,
                 "brewery: note: these documents are given to the agent as "
                 "BREW's are, one attempt at a time; %s serves its own in "
                 "another way, with other scores\n",
                 options.search.learner.c_str());
  const auto trials =
      arguments.trials > 0 ? arguments.trials : options.eval.test_trials;
  const auto done = evaluate(options, *folder, arguments.split, trials,
                             choose_progress(arguments.json, arguments.quiet));
  if (!done) return report(done.error());
  const auto text = arguments.json ? json_line(json_of(*done)) : text_of(*done);
  std::fputs(text.c_str(), stdout);
  return exit_ok;
}

} // namespace brewery

/// `brewery eval`: a knowledge base on a split, with pass^k.

#include "apps/commands.hpp"
#include "apps/configuration.hpp"
#include "apps/interrupt.hpp"
#include "apps/json_line.hpp"
#include "apps/locate.hpp"
#include "apps/logging.hpp"
#include "apps/terminal.hpp"
#include "apps/workshop.hpp"
#include "store/folder.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

nlohmann::ordered_json json_of(const std::vector<arm_result>& arms) {
  nlohmann::ordered_json out{{"event", "evaluation"}};
  out["arms"] = nlohmann::ordered_json::array();
  for (const auto& arm : arms)
    out["arms"].push_back(arm_json(arm));
  return out;
}

/// No KB, then the KB.
result<std::vector<arm_result>> evaluate(const config& options,
                                         const kb_folder& folder,
                                         const std::string& split,
                                         std::uint32_t trials,
                                         progress_style progress) {
  set_up_logging(options.run.log_level);
  auto what = load_problem(options);
  if (!what) return what.error();
  const auto tasks =
      tasks_of_split(*what->source, split, options.environment.max_test_tasks);
  if (!tasks) return tasks.error();
  runtime_inputs inputs;
  inputs.metrics = std::make_shared<probes>();
  // Nothing is kept of an evaluation, so there is nothing to go on with.
  auto models = open_models(options, {}, {}, inputs.metrics);
  if (!models) return models.error();
  inputs.blobs = std::make_shared<blob_shelf>();
  inputs.cluster.max_failures = 1;
  inputs.threads = options.run.threads;
  const auto shop =
      make_workshop(options, what->source, inputs.blobs->documents,
                    inputs.metrics, models->desk);
  if (!shop) return shop.error();
  inputs.runner = shop->runner;
  for (const auto& entry : folder.kb.entries())
    inputs.blobs->documents->add(entry.doc->body);
  const auto told =
      evaluation_settings(options, *what, shop->fingerprint + models->names);
  if (!told) return told.error();
  auto on = runtime::start(std::move(inputs));
  if (!on) return on.error();
  engine machine{**on, {{"eval"}, {}, {}, {}, nullptr, {}, false}};
  if (models->desk) models->desk->when_halted([&machine] { machine.stop(); });
  progress_printer printer{progress};
  std::vector<evaluation_record> records;
  bool interrupted = false;
  {
    interrupt_watch watch{[&] { machine.stop(); },
                          [&] {
                            auto view = machine.board().view();
                            view.models = models_text(*models);
                            printer.show(view,
                                         std::chrono::steady_clock::now());
                          }};
    for (const auto& [name, refs] :
         {std::pair{std::string{"no KB"}, std::vector<doc_ref>{}},
          std::pair{std::string{"with KB"}, folder.kb.refs()}}) {
      auto arm = machine.evaluate(name, split, *told, *tasks, trials, refs);
      interrupted = watch.interrupted();
      if (!arm && models->desk && models->desk->halted()) {
        const auto why = *models->desk->halted();
        models->desk->close();
        return stopped_because(*models, why);
      }
      if (!arm)
        return interrupted ? error{ec::cancelled, "stopped"} : arm.error();
      records.push_back(std::move(*arm));
    }
  }
  printer.finish();
  return compare_arms(records, options.run.seed, trials);
}

/// The configuration that a run keeps above its documents.
result<std::string> config_of_run(const std::filesystem::path& documents) {
  std::error_code ignored;
  auto folder = std::filesystem::weakly_canonical(documents, ignored);
  // kb/, or strategies/NAME/kb/.
  for (int level = 0; level < 3; ++level) {
    folder = folder.parent_path();
    const auto file = folder / "config.toml";
    if (std::filesystem::is_regular_file(file, ignored)) return file.string();
  }
  return error{ec::invalid_argument,
               fmt::format("{} belongs to no run, so the tasks are not known: "
                           "say --config FILE",
                           documents.string())};
}

} // namespace

int eval_command(const eval_arguments& arguments) {
  interrupt_watch::block_signals();
  auto told = arguments.configuration;
  const auto runs = told.file.empty() ? runs_directory({})
                                      : load_from(told).value.run.runs_dir;
  const auto path = locate_kb(arguments.kb, runs);
  if (!path) return report(path.error());
  if (told.file.empty()) {
    const auto own = config_of_run(*path);
    if (!own) return report(own.error());
    told.file = *own;
  }
  auto configuration = usable_config_from(told);
  if (configuration.code != exit_ok) return configuration.code;
  auto& options = configuration.value;
  const auto folder = read_knowledge_base(*path);
  if (!folder) return report(folder.error());
  for (const auto& warning : folder->warnings)
    std::fprintf(stderr, "brewery: note: %s\n", printable(warning).c_str());
  const auto trials =
      arguments.trials > 0 ? arguments.trials : options.eval.test_trials;
  const auto done = evaluate(options, *folder, arguments.split, trials,
                             choose_progress(arguments.json, false));
  if (!done) return report(done.error());
  const auto text =
      arguments.json ? json_line(json_of(*done)) : arms_text(*done);
  std::fputs(text.c_str(), stdout);
  return exit_ok;
}

} // namespace brewery

#include "run/setup/run_checks.hpp"

#include "actors/job_log.hpp"
#include "roles/prompts/prompt_set.hpp"
#include "roles/prompts/rubrics.hpp"
#include "roles/sentence/sentence_model.hpp"
#include "run/evaluation/memory_port.hpp"
#include "run/learners/make_learner.hpp"
#include "run/metrics_endpoint.hpp"
#include "run/resume/earlier_runs.hpp"
#include "run/run_identity.hpp"
#include "store/event_log.hpp"

#include <algorithm>

namespace brewery {

result<void> check_sentence_model(const embedder_options& options) {
  if (options.kind != "sentence") return {};
  const auto tried = sentence::try_model(options);
  if (!tried) return tried.error();
  return {};
}

result<void> check_texts(const config& options) {
  // Whatever is wrong with such a file, the user's configuration is.
  const auto refuse = [](const error& why) {
    return error{ec::invalid_config, why.message};
  };
  if (const auto prompts = prompt_set::load(options.prompts.dir); !prompts)
    return refuse(prompts.error());
  if (options.judge.kind != "llm") return {};
  if (const auto rubrics = load_rubrics(options.judge.rubrics); !rubrics)
    return refuse(rubrics.error());
  return {};
}

fingerprints fingerprints_of(const configured_runner& shop,
                             const run_models& models, const problem& what) {
  const auto& goldens = what.source->goldens();
  const auto graded = goldens.empty() ? "" : " goldens=" + goldens;
  return {shop.fingerprint + models.names + graded,
          shop.playing + models.playing + graded,
          shop.reflecting + models.reflecting + graded,
          shop.integrating + models.integrating};
}

namespace {

/// A run that nobody executes: what its rollouts depend on.
result<fingerprints> prints_of(const config& options, const problem& what,
                               const std::filesystem::path& replay) {
  const auto metrics = std::make_shared<process_metrics>();
  const auto models = open_models(options, {}, replay, metrics);
  if (!models) return models.error();
  const auto shop =
      make_job_runner(options, what.source, std::make_shared<document_store>(),
                      metrics, models->broker);
  if (!shop) return shop.error();
  return fingerprints_of(*shop, *models, what);
}

} // namespace

result<void> check_learners(const config& options) {
  if (auto ok = check_learner(options); !ok) return ok;
  return asks_memory(options) ? can_recall(options.memory_port)
                              : result<void>{};
}

result<void> check_memory(const config& options) {
  return asks_memory(options) ? is_memory(options.memory_port) : result<void>{};
}

bool asks_memory(const config& options) {
  const auto& baselines = options.eval.baselines;
  return options.search.final_evaluation
         && std::ranges::find(baselines, comparators::port) != baselines.end();
}

result<void> can_begin(const config& options,
                       const std::filesystem::path& replay) {
  if (auto ok = check_texts(options); !ok) return ok;
  if (auto ok = check_run_models(options, replay); !ok) return ok;
  if (auto ok = check_sentence_model(options.embedder); !ok) return ok;
  return can_serve(options.run.metrics_listen);
}

result<void> can_go_on(const run_directory& directory, const config& options,
                       const problem& what,
                       const std::filesystem::path& replay) {
  const auto now = prints_of(options, what, replay);
  if (!now) return now.error();
  const auto log = event_log::open_for_reading(directory.path());
  if (!log) return log.error();
  const auto known = load_memo(**log);
  if (!known) return known.error();
  return check_fingerprint(*known, now->whole);
}

result<void> can_reuse(const config& options, const problem& what,
                       const std::filesystem::path& replay) {
  if (options.economy.reuse_from.empty()) return {};
  const auto now = prints_of(options, what, replay);
  if (!now) return now.error();
  return check_earlier_runs(
      {options.run.runs_dir / "new", options, now->playing});
}

} // namespace brewery

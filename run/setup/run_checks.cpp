#include "run/setup/run_checks.hpp"

#include "actors/job_log.hpp"
#include "roles/sentence/sentence_model.hpp"
#include "run/metrics_endpoint.hpp"
#include "run/run_identity.hpp"
#include "store/event_log.hpp"

namespace brewery {

result<void> check_sentence_model(const embedder_options& options) {
  if (options.kind != "sentence") return {};
  const auto tried = sentence::try_model(options);
  if (!tried) return tried.error();
  return {};
}

fingerprints fingerprints_of(const configured_runner& shop,
                             const run_models& models, const problem& what) {
  const auto& goldens = what.source->goldens();
  const auto graded = goldens.empty() ? "" : " goldens=" + goldens;
  return {shop.fingerprint + models.names + graded,
          shop.playing + models.playing + graded,
          shop.reflecting + models.reflecting + graded};
}

result<void> can_begin(const config& options,
                       const std::filesystem::path& replay) {
  if (auto ok = check_run_models(options, replay); !ok) return ok;
  if (auto ok = check_sentence_model(options.embedder); !ok) return ok;
  return can_serve(options.run.metrics_listen);
}

result<void> can_go_on(const run_directory& directory, const config& options,
                       const problem& what) {
  const auto metrics = std::make_shared<process_metrics>();
  const auto models = open_models(options, {}, {}, metrics);
  if (!models) return models.error();
  const auto shop =
      make_job_runner(options, what.source, std::make_shared<document_store>(),
                      metrics, models->broker);
  if (!shop) return shop.error();
  const auto log = event_log::open_for_reading(directory.path());
  if (!log) return log.error();
  const auto known = load_memo(**log);
  if (!known) return known.error();
  return check_fingerprint(*known, fingerprints_of(*shop, *models, what).whole);
}

} // namespace brewery

#pragma once
/// The language models of one run as its session needs them, and what people
/// are told about them.

#include "apps/model_service.hpp"

#include <nlohmann/json.hpp>

namespace brewery {

struct run_models {
  std::shared_ptr<model_service> service; ///< null: no role uses a model
  std::shared_ptr<model_desk> desk;       ///< null likewise
  std::string names; ///< which models they are, for the fingerprint
};

/// Empty when no role of the configuration uses a model. `run` is the run's
/// directory, empty for what keeps nothing; `replay` is the
/// directory of the run that is repeated, or empty.
result<run_models> open_models(const config& options,
                               const std::filesystem::path& run,
                               const std::filesystem::path& replay,
                               const std::shared_ptr<probes>& metrics);

/// The same on a service that other runs use too.
result<run_models> models_of(std::shared_ptr<model_service> service,
                             const config& options,
                             const std::filesystem::path& run,
                             const std::filesystem::path& replay);

/// "$0.42 of $5.00, 3 calls out, 12 waiting for openai (429)"; empty without
/// models.
std::string models_text(const run_models& models);
nlohmann::ordered_json models_json(const run_models& models);

/// The same for /metrics.
void report_spending(const run_models& models, probes& metrics);

/// Why a run that its desk or its time stopped ends, and how it goes on.
error stopped_because(const run_models& models, const error& why);

} // namespace brewery

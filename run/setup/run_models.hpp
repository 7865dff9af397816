#pragma once
/// The language models of one run, and their status for people.

#include "actors/run_metrics.hpp"
#include "run/setup/model_service.hpp"

#include <nlohmann/json.hpp>

namespace brewery {

struct run_models {
  std::shared_ptr<model_service> service; ///< null: no role uses a model
  std::shared_ptr<model_broker> broker;   ///< null: no role uses a model
  std::string names;               ///< names of the models, for the fingerprint
  std::string playing, reflecting; ///< those of them that rollouts ask
  std::string integrating;         ///< that of the integrator
};

/// Empty if no role of the configuration uses a model. `run` is the run's
/// directory, or empty if nothing is stored. `replay` is the directory of the
/// run to repeat, or empty.
result<run_models> open_models(const config& options,
                               const std::filesystem::path& run,
                               const std::filesystem::path& replay,
                               const std::shared_ptr<process_metrics>& metrics);

/// The same with a service that other runs share.
result<run_models> models_of(std::shared_ptr<model_service> service,
                             const config& options,
                             const std::filesystem::path& run,
                             const std::filesystem::path& replay);

/// Checks catalog, keys and the recording to repeat, and connects to the
/// servers unless it is repeated. Asks them nothing.
result<void> check_run_models(const config& options,
                              const std::filesystem::path& replay);

/// "$0.42 of $5.00, 3 calls out, 12 waiting for openai (429)"; empty without
/// models.
std::string models_text(const run_models& models);
/// Only the cost: "$0.42 of $5.00"; empty without models.
std::string cost_text(const run_models& models);
nlohmann::ordered_json models_json(const run_models& models);

/// Over all sessions of the run; 0 without models.
double spent_usd(const run_models& models);

/// Reports the same to the metrics.
void report_spending(const run_models& models, run_metrics& metrics);

/// Explains why the run stopped, and what it has spent.
error stopped_because(const run_models& models, const error& why);

/// Whether a stopped run can go on as it is, once the cause is mended.
bool may_go_on(const error& why);

/// The command with which a run goes on that its budget stopped. `why` names
/// the limit; one of hours begins anew.
std::string larger_budget(const error& why, const std::string& command);

/// To follow the error of a run that a model server stopped: "; nothing that
/// was paid is lost; ... `COMMAND`". Empty for other errors.
std::string go_on_advice(const error& why, const std::string& command);

} // namespace brewery

#pragma once
/// The language models of a process: the catalog, the client and the brokers of
/// its runs. All runs share one client and so each server's limits. Each run
/// has its own broker with its budget and recording.

#include "actors/model_broker.hpp"
#include "actors/process_metrics.hpp"
#include "config/config.hpp"
#include "config/model_use.hpp"
#include "llm/accounts/model_catalog.hpp"
#include "llm/client/model_client.hpp"

#include <memory>

namespace brewery {

/// Error ec::invalid_config if a role's model is not in the catalog, if its
/// server cannot be asked for want of a key or file, or if a budget limits cost
/// and one of the models has no price, or none for the replies of a chat.
/// `file` is named in the message.
result<void> check_models(const config& options, const model_catalog& catalog,
                          const std::filesystem::path& file);

class model_service {
public:
  /// Reads the catalog and its keys. The error is the first problem found. A
  /// server without its key is one only if no other can be asked.
  static result<std::shared_ptr<model_service>>
  start(const std::filesystem::path& catalog,
        std::shared_ptr<process_metrics> metrics,
        catalog_use use = catalog_use::asking);

  /// See `check_models`.
  result<void> check(const config& options) const;

  /// Connects to the servers of the models that the roles use, and asks them
  /// nothing. The error names the first that cannot be reached.
  result<void> reach(const config& options) const;

  /// Makes the broker of a run. Creates the recording in the run's directory or
  /// continues it, unless `run` is empty. `replay` is the run directory whose
  /// recording answers all calls; may be empty.
  result<std::shared_ptr<model_broker>>
  broker(const config& options, const std::filesystem::path& run,
         const std::filesystem::path& replay);

  /// Identifies models by their names in the catalog. Part of a configuration's
  /// fingerprint, because such a name may later denote another model.
  [[nodiscard]] std::string
  fingerprint(const std::vector<std::string>& names) const;

  /// What each role asks: "model 'large' at server 'here'".
  [[nodiscard]] std::map<std::string, std::string>
  asked_by_role(const config& options) const;

  [[nodiscard]] std::vector<provider_status> servers() const;

private:
  class transport;
  model_service() = default;

  model_catalog catalog_;
  std::filesystem::path file_;
  std::shared_ptr<model_client> client_;
  std::shared_ptr<process_metrics> metrics_;
};

} // namespace brewery

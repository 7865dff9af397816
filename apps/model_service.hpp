#pragma once
/// The language models of a process: catalog, client and the desks of its runs.
/// One client for all searches, so that they share each server's limits; one
/// desk per run, with its budget and recording.

#include "actors/model_desk.hpp"
#include "actors/probes.hpp"
#include "config/config.hpp"
#include "config/model_catalog.hpp"
#include "config/model_use.hpp"
#include "llm/model_client.hpp"

#include <memory>

namespace brewery {

class model_service {
public:
  /// Reads the catalog and its keys. Errors: its first problem.
  static result<std::shared_ptr<model_service>>
  start(const std::filesystem::path& catalog, std::shared_ptr<probes> metrics);

  /// ec::invalid_config when a role asks for a model the catalog lacks, or a
  /// search is limited by cost and a model of it has no price.
  result<void> check(const config& options) const;

  /// The desk of a run; the recording in its directory is made or gone on with,
  /// unless `run` is empty. `replay` names the run directory whose recording
  /// answers everything; may be empty.
  result<std::shared_ptr<model_desk>> desk(const config& options,
                                           const std::filesystem::path& run,
                                           const std::filesystem::path& replay);

  /// What the models of a configuration are: part of its fingerprint, because
  /// a name in the catalog may come to mean another model.
  [[nodiscard]] std::string fingerprint(const config& options) const;

  [[nodiscard]] std::vector<provider_status> servers() const;

private:
  class transport;
  model_service() = default;

  model_catalog catalog_;
  std::filesystem::path file_;
  std::shared_ptr<model_client> client_;
  std::shared_ptr<probes> metrics_;
};

} // namespace brewery

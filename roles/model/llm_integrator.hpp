#pragma once
/// The integrator on a language model. The prompt contains the parent document
/// and the numbered insights. The reply is the next document, with the parts of
/// the benchmark's schema. The prompt allows any restructuring but no loss of
/// content. The draw is part of the job, so it determines the seed and the
/// place in the recording: h draws are h samples.

#include "roles/model/document_schema.hpp"
#include "roles/model/model_asker.hpp"

namespace brewery {

class llm_integrator final : public integrator {
public:
  /// `send_temperature`: send the job's temperature
  /// (search.integrator_temperature). Reasoning models refuse it.
  llm_integrator(model_asker ask, const std::vector<document_part>& parts,
                 bool send_temperature)
      : ask_(std::move(ask)), parts_(parts),
        send_temperature_(send_temperature) {}

  result<integrate_result> integrate(const integrate_job& job,
                                     const document* parent,
                                     job_context& context) const override;

  [[nodiscard]] std::string fingerprint() const;

private:
  model_asker ask_;
  const std::vector<document_part>& parts_; ///< static
  bool send_temperature_;
};

} // namespace brewery

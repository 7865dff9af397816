#pragma once
/// The integrator on a language model: the document so far and the numbered
/// insights to the next document, in the parts of the benchmark's schema.
/// Nothing may be lost, everything may be restructured. The draw is part of the
/// job and so of the seed and of the place in the recording: h draws are h
/// samples.

#include "roles/document_schema.hpp"
#include "roles/model_asker.hpp"

namespace brewery {

class llm_integrator final : public integrator {
public:
  /// `send_temperature`: the job's (search.integrator_temperature) is sent;
  /// reasoning models refuse it.
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

#pragma once
/// The integrator on a language model. The prompt contains the parent document
/// with its citations and its score, the numbered insights with their outcomes,
/// missed checks of training rollouts, and titles of other documents. The reply
/// is the next document, with the parts of the benchmark's schema. The prompt
/// allows any restructuring but no loss of content, as long as the document
/// fits its limit. A document that lacks facts of the parent is asked for again
/// once; what is still lost, and insights that no point has, is counted
/// (documents/kept_facts.hpp). The draw is part of the job, so it determines
/// the seed and the place in the recording: h draws are h samples.

#include "roles/model/document_schema.hpp"
#include "roles/model/documents/integration_text.hpp"
#include "roles/model/model_asker.hpp"

namespace brewery {

class llm_integrator final : public integrator {
public:
  llm_integrator(model_asker ask, const std::vector<document_part>& parts,
                 integrator_options options)
      : ask_(std::move(ask)), parts_(parts), options_(std::move(options)) {}

  result<integrate_result> integrate(const integrate_job& job,
                                     const document* parent,
                                     job_context& context) const override;

  [[nodiscard]] std::string fingerprint() const;

private:
  class reply_reader;

  /// A document that is too long is an error, or, if the model has been told
  /// before, cut.
  result<integrate_result> within_limit(integrate_result made, bool told,
                                        const integrate_job& job,
                                        job_context& context) const;

  model_asker ask_;
  const std::vector<document_part>& parts_; ///< static
  integrator_options options_;
};

} // namespace brewery

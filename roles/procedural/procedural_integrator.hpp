#pragma once
/// The integrator without a language model. It induces rules from the insights,
/// merges them with those of the parent document and writes the document in the
/// schema of the method (When, Why, How, Additional actions, Example). At
/// temperature 0, all draws give the same text. Above 0, draws differ in the
/// evidence that a rule needs, in the weakly supported rules they include, and
/// in the wording that retrieval sees. With `drafts = "varied"` they differ in
/// more (varied_draft.hpp).

#include "roles/options.hpp"
#include "roles/procedural/induction/shared_evidence.hpp"
#include "roles/roles.hpp"

namespace brewery {

class procedural_integrator final : public integrator {
public:
  explicit procedural_integrator(integrator_options options = {})
      : options_(std::move(options)) {}

  /// The options that change documents, if they are not the usual ones.
  [[nodiscard]] std::string fingerprint() const;

  result<integrate_result> integrate(const integrate_job& job,
                                     const document* parent,
                                     job_context& context) const override;

private:
  integrator_options options_;
  mutable shared_evidence evidence_;
};

} // namespace brewery

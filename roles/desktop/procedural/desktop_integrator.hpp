#pragma once
/// Writes the document of an application from graded attempts, without a
/// language model: the recipes that met tasks as rules in the grammar of
/// roles/procedural/rule_text.hpp, in the four parts that a document for
/// OSWorld has (BREW, arXiv:2511.20297, appendix C).

#include "roles/options.hpp"
#include "roles/roles.hpp"

namespace brewery::desktop {

class procedural_desktop_integrator final : public integrator {
public:
  explicit procedural_desktop_integrator(std::uint32_t max_rules)
      : max_rules_(max_rules) {}

  /// The options that change documents, if they are not the usual ones.
  [[nodiscard]] std::string fingerprint() const;

  result<integrate_result> integrate(const integrate_job& job,
                                     const document* parent,
                                     job_context& context) const override;

private:
  std::uint32_t max_rules_;
};

} // namespace brewery::desktop

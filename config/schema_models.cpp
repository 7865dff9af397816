#include "config/declare.hpp"

namespace brewery {

option_section models_section() {
  section_of<models_options> s{&config::models, "models",
                               "Language models, for the roles that use one."};
  s.add(&models_options::catalog, "catalog",
        "File of model servers and models (docs/models.md). Empty if no role "
        "uses a model.");
  return s.take();
}

option_section budget_section() {
  section_of<budget_options> s{
      &config::budget, "budget",
      "Budget of a run for language models. What the run spent before an "
      "interruption counts. A run stops when it reaches a limit and can be "
      "resumed with a larger one."};
  s.add(&budget_options::max_cost_usd, "max_cost_usd",
        "Maximum cost; 0: no limit.", {.unit = "USD", .min = 0, .max = 1e6});
  s.add(&budget_options::max_tokens, "max_tokens",
        "Maximum number of tokens, of prompts and replies; 0: no limit.",
        {.unit = "tokens", .min = 0, .max = 1e15});
  s.add(&budget_options::max_calls, "max_calls",
        "Maximum number of calls; 0: no limit.",
        {.unit = "calls", .min = 0, .max = 1e12});
  s.add(&budget_options::max_hours, "max_hours",
        "Maximum wall time since the start or the last resume; 0: no limit.",
        {.unit = "h", .min = 0, .max = 1e5});
  s.add(&budget_options::roles, "roles",
        "Limits of single roles, e.g. [\"integrator cost_usd=5\", \"agent "
        "tokens=1000000 calls=2000\"].");
  return s.take();
}

} // namespace brewery

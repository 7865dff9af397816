#include "apps/workshop.hpp"

#include "apps/problem.hpp"
#include "roles/make_roles.hpp"

#include <fmt/format.h>

namespace brewery {

result<workshop> make_workshop(const config& options,
                               std::shared_ptr<const benchmark> source,
                               std::shared_ptr<document_store> documents,
                               std::shared_ptr<probes> metrics,
                               std::shared_ptr<model_port> models,
                               grader_maker graders) {
  auto made = make_roles(options.roles(), source->name(), std::move(models));
  if (!made) return made.error();
  workshop out;
  out.fingerprint = fmt::format(
      "{} {}{} {} bm25={}/{}", source->name(), source->fingerprint(),
      play_text(options.environment), made->fingerprint,
      options.retrieval.bm25_k1, options.retrieval.bm25_b);
  out.runner = std::make_shared<const job_runner>(
      std::move(source), std::move(made->roles), std::move(documents),
      options.retrieval, [metrics](double spent) { metrics->retrieved(spent); },
      std::chrono::milliseconds{options.environment.simulated_latency_ms},
      std::move(graders));
  return out;
}

} // namespace brewery

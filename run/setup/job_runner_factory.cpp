#include "run/setup/job_runner_factory.hpp"

#include "roles/make_roles.hpp"
#include "run/setup/problem.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace brewery {

result<configured_runner>
make_job_runner(const config& options, std::shared_ptr<const benchmark> source,
                std::shared_ptr<document_store> documents,
                std::shared_ptr<process_metrics> metrics,
                std::shared_ptr<model_port> models, grader_maker graders) {
  auto made =
      make_roles(options.roles(), source->name(), std::move(models),
                 [](const std::string& line) { spdlog::warn("{}", line); });
  if (!made) return made.error();
  configured_runner out;
  const auto rules =
      fmt::format("{} {}{} ", source->name(), source->fingerprint(),
                  play_text(options.environment));
  out.fingerprint = rules + made->fingerprint;
  out.playing = rules + made->playing;
  out.reflecting = rules + made->reflecting;
  out.integrating = made->integrating;
  out.runner = std::make_shared<const job_runner>(
      std::move(source), std::move(made->roles), std::move(documents),
      options.retrieval, [metrics](double spent) { metrics->retrieved(spent); },
      std::chrono::milliseconds{options.environment.simulated_latency_ms},
      std::move(graders));
  return out;
}

} // namespace brewery

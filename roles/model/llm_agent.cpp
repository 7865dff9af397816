#include "roles/model/llm_agent.hpp"

#include <fmt/format.h>

namespace brewery {

llm_agent::llm_agent(model_asker ask, const agent_options& options,
                     const retrieval_options& retrieval)
    : ask_(std::move(ask)), options_{options.max_calls,
                                     retrieval.per_observation,
                                     options.example_tokens},
      top_k_(retrieval.top_k) {}

std::string llm_agent::fingerprint() const {
  return fmt::format("llm-agent/2 {} calls={} top={} each={} examples={}",
                     ask_.fingerprint({"agent", "notes", "step-back"}),
                     options_.max_calls, top_k_, options_.per_observation,
                     options_.example_tokens);
}

result<trajectory> llm_agent::attempt(const task_info& task, environment& env,
                                      retrieval_session& retrieval,
                                      std::uint64_t,
                                      job_context& context) const {
  return conversation{ask_, options_, task, env, retrieval, context}.run();
}

} // namespace brewery

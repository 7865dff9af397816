#include "roles/muse/muse_agent.hpp"

#include "roles/muse/llm_attempt.hpp"
#include "roles/muse/procedural_attempt.hpp"

#include <fmt/format.h>

namespace brewery {

muse_agent::muse_agent(std::shared_ptr<const agent> inner,
                       agent_options options, muse_options how,
                       std::optional<model_asker> ask)
    : inner_(std::move(inner)), options_(std::move(options)),
      how_(std::move(how)), ask_(std::move(ask)) {}

std::string muse_agent::fingerprint() const {
  return fmt::format("{} muse-agent/1 try={} all={} explore={} verify={}",
                     inner_->fingerprint(), how_.actions_per_try, how_.actions,
                     how_.explore, how_.verify)
         + (ask_ ? " frozen/1 "
                       + ask_->fingerprint({"muse-plan", "muse-act",
                                            "muse-check", "muse-procedure",
                                            "muse-lessons"})
                 : "");
}

result<trajectory> muse_agent::attempt(const task_info& task, environment& env,
                                       retrieval_session& retrieval,
                                       std::uint64_t draw_key,
                                       job_context& context) const {
  if (context.method != methods::muse && context.method != methods::muse_frozen)
    return inner_->attempt(task, env, retrieval, draw_key, context);
  auto memory = opened_memory::of(retrieval);
  if (!memory) return memory.error();
  if (ask_)
    return llm_attempt{*ask_,   how_,   options_.max_calls, task, env,
                       *memory, context}
        .run();
  return procedural_attempt{task, env,    *memory, options_,
                            how_, rules_, parsed_, draw_key}
      .run();
}

} // namespace brewery

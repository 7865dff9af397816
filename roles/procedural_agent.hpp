#pragma once
/// The agent without a language model. It looks around with the reading tools,
/// follows the rules it can read from the retrieved documents, and explores
/// with random changing calls where the documents are silent. It knows no task,
/// fault or remedy: with an empty knowledge base it can only look and guess.
///
/// One attempt:
///   1. consult the librarian with the task's instruction;
///   2. look around: every reading tool whose arguments the case can fill, and
///      consult again with what it shows (`per_observation`);
///   3. follow rules: verify the condition with a fresh look, call, repeat;
///   4. when a document says how a finished task looks and it looks so: stop;
///   5. otherwise explore: a random changing call, look again, back to 3;
///   6. a last look, so that the reflector sees the final state.

#include "roles/options.hpp"
#include "roles/roles.hpp"
#include "roles/rule_text.hpp"

#include <mutex>
#include <unordered_map>

namespace brewery {

class procedural_agent final : public agent {
public:
  procedural_agent(agent_options options, retrieval_options retrieval);

  std::string fingerprint() const override;

  result<trajectory> attempt(const task_info& task, environment& env,
                             librarian& library, std::uint64_t draw_key,
                             job_context& context) const override;

private:
  /// Documents are immutable, so a reading is kept for all rollouts.
  std::shared_ptr<const guidance> guidance_of(const document& doc) const;

  agent_options options_;
  retrieval_options retrieval_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<doc_hash, std::shared_ptr<const guidance>> read_;
};

} // namespace brewery

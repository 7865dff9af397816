#pragma once
/// One attempt of an agent on a language model: the messages so far, the
/// documents it is shown, the steps that came of it. Owned by one rollout; the
/// agent's options and rules are in llm_agent.hpp.

#include "roles/model_asker.hpp"
#include "roles/tool_calls.hpp"

#include <set>

namespace brewery {

struct conversation_options {
  std::uint32_t max_calls = 100; ///< a turn of words counts as one
  bool per_observation = true;
  std::uint32_t example_tokens = 8000;
};

class conversation {
public:
  conversation(const model_asker& ask, conversation_options options,
               const task_info& task, environment& env, librarian& library,
               job_context& context);

  /// To the end. Errors: the model's (but see llm_agent.hpp), the
  /// environment's.
  result<trajectory> run();

private:
  result<void> prepare();
  result<void> step_back();
  void consult(const std::string& newest);
  void show_prompt();
  result<chat_reply> next_reply();
  result<bool> play(const chat_reply& reply);
  result<turn_outcome> take(const turn& move);
  void answer(const std::vector<read_call>& calls, const turn_outcome& outcome);
  void record(const turn_outcome& outcome, const std::string& words);

  const model_asker& ask_;
  conversation_options options_;
  environment& env_;
  librarian& library_;
  job_context& context_;
  std::string seed_query_; ///< the instruction, or the other side's first words
  bool talks_ = false;     ///< there is somebody to talk to
  bool examples_ = false;  ///< the documents are examples
  slot_texts prompt_;      ///< what the agent's prompt shows
  std::set<std::string> queries_;
  chat_request request_; ///< grows with every turn; message 0 is the prompt
  std::vector<trajectory_step> steps_;
  std::uint32_t made_ = 0; ///< calls and turns of words
};

} // namespace brewery

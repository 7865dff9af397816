#pragma once
/// One attempt of the agent on a language model: the messages so far, the
/// documents it was shown, and the steps it made. Owned by one rollout.
/// llm_agent.hpp describes its options and rules.

#include "roles/model/model_asker.hpp"
#include "roles/model/tool_calls.hpp"

#include <map>
#include <set>

namespace brewery {

struct conversation_options {
  std::uint32_t max_calls = 100; ///< a message without calls counts as one
  bool per_observation = true;
  std::uint32_t example_tokens = 8000;
};

class conversation {
public:
  conversation(const model_asker& ask, conversation_options options,
               const task_info& task, environment& env,
               retrieval_session& retrieval, job_context& context);

  /// Runs the attempt to its end. Errors come from the model (but see
  /// llm_agent.hpp) or the environment.
  result<trajectory> run();

private:
  /// `opening`: the first words of the other side; empty: there is none.
  result<void> prepare(const std::string& opening);
  result<void> step_back();
  /// The documents found that were not shown before.
  result<std::vector<std::string>> retrieve(const std::string& newest);
  void show_prompt();
  result<void> add_notes(const std::string& newest);
  result<void> add_notes(const turn_outcome& outcome);
  result<chat_reply> next_reply();
  result<chat_reply> usable(const chat_reply& reply);
  trajectory cut_short(std::string why);
  result<trajectory> given_up(const error& why);
  result<bool> play(const chat_reply& reply);
  result<turn_outcome> take(const turn& move);
  void answer(const std::vector<read_call>& calls, const turn_outcome& outcome);
  void record(const turn_outcome& outcome, const std::string& words);

  const model_asker& ask_;
  conversation_options options_;
  environment& env_;
  retrieval_session& retrieval_;
  job_context& context_;
  std::string seed_query_; ///< the instruction, or the user's first words
  bool talks_ = false;     ///< the environment has a user to talk to
  bool examples_ = false;  ///< the documents are examples
  slot_texts prompt_;      ///< the texts of the agent's prompt
  std::string marker_;     ///< of all blocks of data of the attempt
  std::map<std::string, std::uint32_t> queries_; ///< how often each was asked
  std::set<doc_hash> shown_; ///< the documents that were shown
  /// Only grows, so that a server's prompt cache serves all but the newest
  /// turn; message 0 is the system prompt.
  chat_request request_;
  std::vector<trajectory_step> steps_;
  std::uint32_t made_ = 0; ///< number of calls and of messages without calls
  /// The newest reply if it is words where only a call counts; else empty.
  std::string only_words_;
  std::string ending_; ///< the tool that ends the attempt; empty: words do
};

} // namespace brewery

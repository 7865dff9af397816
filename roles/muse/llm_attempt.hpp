#pragma once
/// One attempt of MUSE on a language model (arXiv:2510.08002, section 3.3). The
/// model is asked for a plan, then works at its first sub-task in a
/// conversation of its own, with the environment's tools and one that opens the
/// memory. Another conversation checks the outcome: it sees the steps, not the
/// worker's thoughts, and may look with reading tools that have no effect
/// (`environment::probe`). A sub-task that was found done is written down as a
/// procedure at once. At the end lessons are drawn. Nobody sees a grade. With
/// a frozen memory (`methods::muse_frozen`) neither is asked for.
///
/// Failures: a plan that cannot be read, after it was asked for again, ends the
/// attempt, and so does a prompt that is too long; a model that says nothing or
/// refuses to plan, to act or to check has broken it off. Any other error of
/// the model ends the rollout without a score. A verdict that cannot be read is
/// "no", a procedure or lessons that cannot be read or are refused are none,
/// with a note.

#include "learners/muse/options.hpp"
#include "learners/muse/sub_tasks.hpp"
#include "roles/model/model_asker.hpp"
#include "roles/muse/muse_replies.hpp"
#include "roles/muse/opened_memory.hpp"

namespace brewery {

class llm_attempt {
public:
  llm_attempt(const model_asker& ask, const muse_options& how,
              std::uint32_t max_calls, const task_info& task, environment& env,
              opened_memory& memory, job_context& context);

  result<trajectory> run();

private:
  result<void> plan();
  result<void> act();
  result<void> check();
  result<void> keep_procedure();
  result<void> draw_lessons();

  /// The slots that most prompts share.
  [[nodiscard]] slot_texts shared_texts() const;
  [[nodiscard]] std::string done_so_far() const;
  [[nodiscard]] std::string steps_of_try() const;
  /// What the worker's call answers; a call of the environment is a step.
  std::string answer(const tool_call& call, const std::string& why);
  std::string open(const json& arguments);
  std::string look(const tool_call& call);
  /// Asks in a conversation with tools until there is a reply without a call,
  /// or the calls are used up. `use` answers a call.
  result<chat_reply> converse(
      chat_request& request, std::uint32_t calls,
      const std::function<std::string(const tool_call&, const std::string&)>&
          use);
  /// Of a reply that nobody can do without: empty, with a note.
  template <class T>
  result<std::optional<T>>
  optional_reply(chat_request request,
                 const std::function<result<T>(std::string_view)>& read);

  const model_asker& ask_;
  const muse_options& how_;
  std::uint32_t max_calls_;
  const task_info& task_;
  environment& env_;
  opened_memory& memory_;
  job_context& context_;
  bool learns_;
  muse::sub_task_loop loop_;
  std::vector<trajectory_step> steps_;
  std::size_t first_step_ = 0; ///< of the try
  std::uint32_t probes_ = 0;   ///< of the check
  std::string claim_;          ///< the worker's last words
  std::string failure_;        ///< the report of the check before
};

} // namespace brewery

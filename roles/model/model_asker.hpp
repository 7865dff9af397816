#pragma once
/// Asks the model of one role. It numbers the calls of a job, adds model and
/// sampling, and checks replies. An unusable reply is sent back once with the
/// problem (repair turn). A reply that was cut off is asked for once more, with
/// room for four times as much. If the last reply is unusable as well, the role
/// fails: there is no default value. Every such call has a number of its own.
/// Owned by its role.

#include "llm/model_port.hpp"
#include "roles/model/role_tally.hpp"
#include "roles/options.hpp"
#include "roles/prompts/prompt_set.hpp"
#include "roles/roles.hpp"

#include <functional>
#include <memory>

namespace brewery {

/// Shared by all roles on models.
struct model_kit {
  std::shared_ptr<model_port> port;
  std::shared_ptr<const prompt_set> prompts;
  std::shared_ptr<role_tally> tally;
};

/// Of a role that studies an attempt once it is graded. A request that its
/// server takes from nobody (a plain 400) costs the study and not the grade, so
/// it counts as a reply that was refused.
inline error study_error(error why) {
  if (why.code == ec::invalid_argument) why.code = ec::refused_content;
  return why;
}

class model_asker {
public:
  /// `role` is the name in budgets and messages, e.g. "judge".
  model_asker(std::string role, role_model model, model_kit kit);

  /// Asks for one completion. Adds model, temperature and maximum length
  /// (unless the request has them), effort and seed. Errors: those of the port,
  /// prefixed with the role, and ec::cancelled.
  result<chat_reply> ask(chat_request request, job_context& context) const;

  result<embedding_reply> embed(embedding_request request,
                                job_context& context) const;

  /// Asks until `read` accepts the reply, with at most one repair turn and one
  /// larger limit. A reply without a schema that was cut off is taken only if
  /// the larger limit does not help. Error ec::malformed: the message names the
  /// role, its model and the problem of the last reply; the context has a note
  /// `rejected`.
  template <class T>
  result<T>
  ask_until_read(chat_request request,
                 const std::function<result<T>(const chat_reply&)>& read,
                 job_context& context) const {
    std::optional<T> out;
    const auto check = [&](const chat_reply& reply) -> result<void> {
      auto got = read(reply);
      if (!got) return got.error();
      out = std::move(*got);
      return {};
    };
    if (auto ok = ask_until(std::move(request), check, context); !ok)
      return ok.error();
    return std::move(*out);
  }

  /// Whether the role gave no reply that can be used, although it was told what
  /// was wrong, or would not reply (ec::refused_content). Else its server, key
  /// or budget is at fault, or what came was no reply at all.
  [[nodiscard]] bool gave_up(const error& why,
                             const job_context& context) const {
    return (why.code == ec::malformed || why.code == ec::refused_content)
           && context.rejected_at == context.calls;
  }

  /// Counts what happened to a reply, for the process and with the reason for
  /// the job.
  void note(job_context& context, std::uint64_t role_counts::*what,
            std::string_view reason) const;

  /// Says of the job's replies since this call that the role could not use
  /// them, so that another attempt of the job asks for them anew.
  /// `ask_until_read` does so by itself.
  void disown(std::uint32_t first_call, const job_context& context) const;

  /// Makes a request of a filled prompt: system, then user, without empty
  /// parts.
  [[nodiscard]] chat_request prompted(const std::string& prompt,
                                      const slot_texts& with) const;

  [[nodiscard]] const prompt_set& prompts() const { return *kit_.prompts; }
  [[nodiscard]] const std::string& role() const { return role_; }

  /// A hash of model, sampling and the texts of these prompts.
  [[nodiscard]] std::string fingerprint(std::vector<std::string> prompts) const;

private:
  using reply_check = std::function<result<void>(const chat_reply&)>;

  result<model_answer> call(model_call request, job_context& context) const;
  result<void> ask_until(chat_request request, const reply_check& check,
                         job_context& context) const;
  /// Appends an unusable reply and its problem to the request.
  void repair(chat_request& request, const chat_reply& reply,
              const error& problem, job_context& context) const;
  /// Counts a role whose last reply is unusable, and returns its error.
  [[nodiscard]] error rejected(const std::string& problem,
                               job_context& context) const;
  /// What is wrong with a reply that was cut off.
  [[nodiscard]] std::string cut_text(const chat_request& request,
                                     const chat_reply& reply) const;

  std::string role_;
  role_model model_;
  model_kit kit_;
};

} // namespace brewery

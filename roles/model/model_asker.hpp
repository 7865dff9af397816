#pragma once
/// Asks the model of one role. It numbers the calls of a job, adds model and
/// sampling, and checks replies. An unusable reply is sent back once with the
/// problem (repair turn). If the second reply is unusable as well, the role
/// fails: there is no default value. Owned by its role.

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

class model_asker {
public:
  /// `role` is the name in budgets and messages, e.g. "judge".
  model_asker(std::string role, role_model model, model_kit kit);

  /// Asks for one completion. Adds model, temperature (unless the request has
  /// one), maximum length, effort and seed. Errors: those of the port, prefixed
  /// with the role, and ec::cancelled.
  result<chat_reply> ask(chat_request request, job_context& context) const;

  result<embedding_reply> embed(embedding_request request,
                                job_context& context) const;

  /// Asks until `read` accepts the reply, at most twice. Error ec::malformed:
  /// the message names the role and the problem of the second reply.
  template <class T>
  result<T>
  ask_until_read(chat_request request,
                 const std::function<result<T>(const chat_reply&)>& read,
                 job_context& context) const {
    const auto first_call = context.calls;
    auto reply = ask(request, context);
    if (!reply) return reply.error();
    auto first = read(*reply);
    if (first) return first;
    repair(request, *reply, first.error());
    reply = ask(std::move(request), context);
    if (!reply) return reply.error();
    auto second = read(*reply);
    if (second) return second;
    disown(first_call, context);
    return rejected(second.error());
  }

  /// Appends an unusable reply and its problem to the request.
  void repair(chat_request& request, const chat_reply& reply,
              const error& problem) const;

  /// Says of the job's replies since this call that the role could not use
  /// them, so that a retry of the job asks for them anew.
  void disown(std::uint32_t first_call, const job_context& context) const;

  /// Counts a role whose repaired reply is unusable, and returns its error.
  [[nodiscard]] error rejected(const error& problem) const;

  void count(std::uint64_t role_counts::*what) const;

  /// Makes a request of a filled prompt: system, then user, without empty
  /// parts.
  [[nodiscard]] chat_request prompted(const std::string& prompt,
                                      const slot_texts& with) const;

  [[nodiscard]] const prompt_set& prompts() const { return *kit_.prompts; }
  [[nodiscard]] const std::string& role() const { return role_; }

  /// A hash of model, sampling and the texts of these prompts.
  [[nodiscard]] std::string fingerprint(std::vector<std::string> prompts) const;

private:
  result<model_answer> call(model_call request, job_context& context) const;

  std::string role_;
  role_model model_;
  model_kit kit_;
};

} // namespace brewery

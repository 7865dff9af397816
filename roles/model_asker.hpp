#pragma once
/// How a role asks its model: numbers the calls of a job, adds model and
/// sampling, checks what comes back. A reply that cannot be used is answered
/// with what is wrong with it, once; then the role fails. No role has a value
/// to fall back on.

#include "llm/model_port.hpp"
#include "roles/options.hpp"
#include "roles/prompt_set.hpp"
#include "roles/role_tally.hpp"
#include "roles/roles.hpp"

#include <functional>
#include <memory>

namespace brewery {

/// What all roles on models share.
struct model_kit {
  std::shared_ptr<model_port> port;
  std::shared_ptr<const prompt_set> prompts;
  std::shared_ptr<role_tally> tally;
};

class model_asker {
public:
  /// `role`: as budgets and messages name it, e.g. "judge".
  model_asker(std::string role, role_model model, model_kit kit);

  /// One completion. Model, temperature (unless the request has one), reply
  /// length, effort and seed are added. Errors are the port's, with the role in
  /// front, and ec::cancelled.
  result<chat_reply> ask(chat_request request, job_context& context) const;

  result<embedding_reply> embed(embedding_request request,
                                job_context& context) const;

  /// Asks until `read` takes the reply, twice at most. Error ec::malformed
  /// names the role and what was wrong with the second reply.
  template <class T>
  result<T>
  ask_until_read(chat_request request,
                 const std::function<result<T>(const chat_reply&)>& read,
                 job_context& context) const {
    auto reply = ask(request, context);
    if (!reply) return reply.error();
    auto first = read(*reply);
    if (first) return first;
    repair(request, *reply, first.error());
    reply = ask(std::move(request), context);
    if (!reply) return reply.error();
    auto second = read(*reply);
    if (second) return second;
    return rejected(second.error());
  }

  /// Appends a reply that cannot be used and what is wrong with it.
  void repair(chat_request& request, const chat_reply& reply,
              const error& problem) const;

  /// The error of a role whose repaired reply is of no use either; counted.
  [[nodiscard]] error rejected(const error& problem) const;

  void count(std::uint64_t role_counts::*what) const;

  /// A request of a filled prompt: system, then user, empty ones left out.
  [[nodiscard]] chat_request prompted(const std::string& prompt,
                                      const slot_texts& with) const;

  [[nodiscard]] const prompt_set& prompts() const { return *kit_.prompts; }
  [[nodiscard]] const std::string& role() const { return role_; }

  /// Model, sampling and the texts of these prompts.
  [[nodiscard]] std::string fingerprint(std::vector<std::string> prompts) const;

private:
  result<model_answer> call(model_call request, job_context& context) const;

  std::string role_;
  role_model model_;
  model_kit kit_;
};

} // namespace brewery

#include "roles/model/llm_integrator.hpp"

#include "base/printable.hpp"
#include "roles/model/document_reply.hpp"
#include "roles/model/documents/document_limit.hpp"
#include "roles/model/documents/integration_text.hpp"
#include "roles/model/token_estimate.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

std::string parts_text(const std::vector<document_part>& parts) {
  std::string out;
  for (const auto& part : parts)
    out += fmt::format("{}{}\n{}", out.empty() ? "" : "\n\n", part.heading,
                       part.asks);
  return out;
}

std::string limit_text(std::size_t tokens) {
  if (tokens == 0) return {};
  return fmt::format("{} tokens, which are about {} characters without the "
                     "numbers of insights",
                     tokens, tokens * bytes_per_token);
}

/// Also of insights that the prompt has no room for.
insight_support support_of(const integrate_job& job) {
  insight_support out;
  for (const auto& counted : job.insights)
    out.emplace(counted.item->id, counted.count);
  return out;
}

} // namespace

std::string llm_integrator::fingerprint() const {
  return ask_.fingerprint({"integrator"})
         + fmt::format(" parts={} t={} max={} told={}", parts_.size(),
                       options_.send_temperature, options_.max_document_tokens,
                       options_.max_insights);
}

result<integrate_result>
llm_integrator::within_limit(integrate_result made, bool told,
                             const integrate_job& job,
                             job_context& context) const {
  const std::size_t most = options_.max_document_tokens * bytes_per_token;
  if (most == 0 || made.body.size() <= most) return made;
  const auto problem =
      fmt::format("the document has about {} tokens ({} characters); "
                  "at most {} are allowed: shorten its sentences, "
                  "then drop what is contradicted, what has the "
                  "fewest rollouts behind it, and what is oldest",
                  estimated_tokens(made.body.size()), made.body.size(),
                  options_.max_document_tokens);
  if (told)
    if (auto cut = shortened(made, support_of(job), most)) {
      ask_.note(context, &role_counts::shortened, problem);
      return std::move(*cut);
    }
  return error{ec::malformed, problem};
}

result<integrate_result> llm_integrator::integrate(const integrate_job& job,
                                                   const document* parent,
                                                   job_context& context) const {
  const auto insights = number_insights(job, options_.max_insights);
  if (const auto told = insights.shown.size(); told < job.insights.size())
    ask_.note(context, &role_counts::left_out,
              fmt::format("{} of {} insights on {} are in the prompt "
                          "(integrator.max_insights)",
                          told, job.insights.size(), single_line(job.title)));
  document_request wanted{collapse_spaces(job.title), parts_, insights.ids, {}};
  if (parent)
    wanted.known = evidence_of_points(parent->body, job.parent_evidence);
  auto request = ask_.prompted(
      "integrator",
      {{"parts", {parts_text(parts_)}},
       {"limit", {limit_text(options_.max_document_tokens)}},
       {"title", {wanted.title}},
       {"parent",
        {parent ? cited_text(parent->body, job.parent_evidence, insights)
                : "(none yet)"}},
       {"score", {score_text(job.parent_score)}},
       {"missed", {missed_text(job.missed)}},
       {"neighbours", {titles_text(job.neighbours)}},
       {"insights", {insights_text(insights)}}});
  if (options_.send_temperature) request.temperature = job.temperature;
  bool told = false; // what is wrong with it
  auto made = ask_.ask_until_read<integrate_result>(
      std::move(request),
      [&](const chat_reply& reply) -> result<integrate_result> {
        if (reply.finish == chat_finish::length)
          return error{ec::malformed, "it was cut off"};
        auto read = read_document(reply.content, wanted);
        if (read) read = within_limit(std::move(*read), told, job, context);
        told = true;
        return read;
      },
      context);
  if (made) made->id = job.id;
  return made;
}

} // namespace brewery

#include "roles/model/model_asker.hpp"

#include "base/hash.hpp"
#include "roles/model/reply_text.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

/// Every server accepts a 31-bit seed.
constexpr std::uint64_t seed_mask = 0x7fffffff;

} // namespace

model_asker::model_asker(std::string role, role_model model, model_kit kit)
    : role_(std::move(role)), model_(std::move(model)), kit_(std::move(kit)) {
  BREWERY_ASSERT(kit_.port && kit_.prompts && kit_.tally);
}

void model_asker::count(std::uint64_t role_counts::*what) const {
  kit_.tally->add(role_, what);
}

result<model_answer> model_asker::call(model_call request,
                                       job_context& context) const {
  if (context.cancelled && *context.cancelled)
    return error{ec::cancelled, role_ + ": the job was cancelled"};
  request.job = context.job;
  request.number = context.calls++;
  request.role = role_;
  auto answer = kit_.port->ask(request, context.cancelled);
  if (!answer)
    return error{answer.error().code, role_ + ": " + answer.error().message};
  if (!answers(*answer, request))
    return error{ec::malformed,
                 role_ + ": the answer is not of the kind that was asked for"};
  count(&role_counts::calls);
  return answer;
}

result<chat_reply> model_asker::ask(chat_request request,
                                    job_context& context) const {
  request.model = model_.model;
  if (!request.temperature) request.temperature = model_.temperature;
  request.max_tokens = model_.max_tokens;
  request.reasoning_effort = model_.reasoning_effort;
  if (model_.send_seed) {
    hash_input in;
    in.add(context.job.value).add(role_).add(std::uint64_t{context.calls});
    request.seed = hash64(in.content()) & seed_mask;
  }
  model_call wanted;
  wanted.request = std::move(request);
  auto answer = call(std::move(wanted), context);
  if (!answer) return answer.error();
  auto& reply = std::get<chat_reply>(answer->reply);
  reply.content = std::string{without_thoughts(reply.content)};
  return std::move(reply);
}

result<embedding_reply> model_asker::embed(embedding_request request,
                                           job_context& context) const {
  request.model = model_.model;
  model_call wanted;
  wanted.request = std::move(request);
  auto answer = call(std::move(wanted), context);
  if (!answer) return answer.error();
  return std::get<embedding_reply>(std::move(answer->reply));
}

void model_asker::repair(chat_request& request, const chat_reply& reply,
                         const error& problem) const {
  count(&role_counts::repaired);
  // Leave out its calls: each would need an answer.
  if (!reply.content.empty())
    request.messages.push_back(
        {chat_role::assistant, reply.content, {}, {}, {}});
  auto turn = prompts().fill("repair", {{"problem", {problem.message}}});
  request.messages.push_back(
      {chat_role::user, std::move(turn.user), {}, {}, {}});
}

void model_asker::disown(std::uint32_t first_call,
                         const job_context& context) const {
  for (auto number = first_call; number < context.calls; ++number)
    // Without it, a retry would find the reply on record: no harm but that.
    (void)kit_.port->ask(
        {context.job, number, role_, chat_request{}, model_call::rejected},
        context.cancelled);
}

error model_asker::rejected(const error& problem) const {
  count(&role_counts::rejected);
  return {ec::malformed,
          fmt::format("{}: the reply could not be used, nor could the one "
                      "after it was told why: {}",
                      role_, problem.message)};
}

chat_request model_asker::prompted(const std::string& prompt,
                                   const slot_texts& with) const {
  auto texts = prompts().fill(prompt, with);
  chat_request out;
  if (!texts.system.empty())
    out.messages.push_back(
        {chat_role::system, std::move(texts.system), {}, {}, {}});
  if (!texts.user.empty())
    out.messages.push_back(
        {chat_role::user, std::move(texts.user), {}, {}, {}});
  return out;
}

std::string model_asker::fingerprint(std::vector<std::string> prompts) const {
  prompts.emplace_back("repair");
  return fmt::format(
      "{}={} t={} effort={} seed={} prompts={}", role_, model_.model,
      model_.temperature ? fmt::format("{}", *model_.temperature) : "-",
      model_.reasoning_effort.empty() ? "-" : model_.reasoning_effort,
      model_.send_seed, kit_.prompts->fingerprint(prompts));
}

} // namespace brewery

#include "roles/model/model_asker.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "roles/model/reply_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace brewery {

namespace {

/// Every server accepts a 31-bit seed.
constexpr std::uint64_t seed_mask = 0x7fffffff;

constexpr std::uint64_t larger_by = 4;
/// No model writes more at once.
constexpr std::uint64_t reply_tokens_max = 1 << 20;

/// The limit for a reply in place of one that was cut off; 0: there is none.
std::uint32_t larger_limit(const chat_request& request,
                           const chat_reply& reply) {
  const auto had =
      request.max_tokens > 0 ? request.max_tokens : reply.usage.completion;
  const auto wanted = std::min(larger_by * had, reply_tokens_max);
  return wanted > had ? static_cast<std::uint32_t>(wanted) : 0;
}

std::string_view name_of(std::uint64_t role_counts::*what) {
  if (what == &role_counts::repaired) return reply_trouble::repaired;
  if (what == &role_counts::rejected) return reply_trouble::rejected;
  if (what == &role_counts::bad_arguments) return reply_trouble::bad_arguments;
  if (what == &role_counts::overflowed) return reply_trouble::overflowed;
  if (what == &role_counts::dropped) return reply_trouble::dropped;
  if (what == &role_counts::cut) return reply_trouble::cut;
  if (what == &role_counts::shortened) return reply_trouble::shortened;
  if (what == &role_counts::left_out) return reply_trouble::left_out;
  if (what == &role_counts::lost) return reply_trouble::lost;
  BREWERY_ASSERT(what == &role_counts::words);
  return reply_trouble::words;
}

bool says_nothing(const chat_reply& reply) {
  return trim(reply.content).empty() && reply.tool_calls.empty();
}

/// True if the server would take no such request, however often it is asked.
bool refuses_request(const error& why) {
  return why.code == ec::context_too_long || why.code == ec::invalid_argument;
}

} // namespace

model_asker::model_asker(std::string role, role_model model, model_kit kit)
    : role_(std::move(role)), model_(std::move(model)), kit_(std::move(kit)) {
  BREWERY_ASSERT(kit_.port && kit_.prompts && kit_.tally);
}

namespace {

model_caller caller_of(const job_context& context) {
  return {context.cancelled, context.run};
}

} // namespace

void model_asker::note(job_context& context, std::uint64_t role_counts::*what,
                       std::string_view reason) const {
  kit_.tally->add(role_, what);
  context.note(role_, name_of(what), reason);
}

result<model_answer> model_asker::call(model_call request,
                                       job_context& context) const {
  if (context.cancelled && *context.cancelled)
    return error{ec::cancelled, role_ + ": the job was cancelled"};
  request.job = context.job;
  request.number = context.calls++;
  request.role = role_;
  auto answer = kit_.port->ask(request, caller_of(context));
  if (!answer)
    return error{answer.error().code, role_ + ": " + answer.error().message};
  if (!answers(*answer, request))
    return error{ec::malformed,
                 role_ + ": the answer is not of the kind that was asked for"};
  kit_.tally->add(role_, &role_counts::calls);
  return answer;
}

result<chat_reply> model_asker::ask(chat_request request,
                                    job_context& context) const {
  request.model = model_.model;
  if (!request.temperature) request.temperature = model_.temperature;
  if (request.max_tokens == 0) request.max_tokens = model_.max_tokens;
  request.reasoning_effort = model_.reasoning_effort;
  if (model_.send_seed) {
    hash_input in;
    in.add(context.job.value).add(role_).add(std::uint64_t{context.calls});
    request.seed = hash64(in.content()) & seed_mask;
  }
  model_call wanted;
  wanted.request = std::move(request);
  auto answer = call(std::move(wanted), context);
  if (!answer) {
    if (answer.error().code == ec::refused_content) {
      context.note(role_, reply_trouble::refused, answer.error().message);
      context.rejected_at = context.calls;
      context.said_nothing = true;
    }
    return answer.error();
  }
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

result<void> model_asker::ask_until(chat_request request,
                                    const reply_check& check,
                                    job_context& context) const {
  const auto first_call = context.calls;
  const auto fail = [&](const std::string& problem) {
    disown(first_call, context);
    return rejected(problem, context);
  };
  request.max_tokens = model_.max_tokens;
  bool told = false;
  std::optional<error> cut; ///< the first reply that was
  bool cut_is_usable = false;
  bool had_words = false;
  for (;;) {
    const auto reply = ask(request, context);
    if (!reply && cut && refuses_request(reply.error())) {
      if (cut_is_usable) return {};
      std::string_view why = reply.error().message;
      why.remove_prefix(role_.size() + 2); // `ask` puts the role before it
      auto both = fail(
          fmt::format("{}; a larger limit was refused: {}", cut->message, why));
      if (reply.error().code == ec::context_too_long)
        both.code = ec::context_too_long;
      return both;
    }
    if (!reply) {
      if (reply.error().code == ec::refused_content) {
        if (told || cut) disown(first_call, context);
        context.said_nothing = !had_words;
      }
      return reply.error();
    }
    had_words = had_words || !says_nothing(*reply);
    context.said_nothing = !had_words;
    const auto ok = check(*reply);
    const bool is_cut = reply->finish == chat_finish::length;
    if (ok && (!is_cut || !request.schema.empty())) return {};
    if (is_cut) {
      error problem{ec::malformed, cut_text(request, *reply)};
      note(context, &role_counts::cut, problem.message);
      const auto larger = larger_limit(request, *reply);
      if (!cut && larger > 0) {
        cut = std::move(problem);
        cut_is_usable = ok.has_value();
        request.max_tokens = larger;
        continue;
      }
      if (ok) return {};
      return fail(cut ? fmt::format("{}; {}", cut->message, problem.message)
                      : problem.message);
    }
    if (told)
      return fail("the reply could not be used, nor could the one after it was "
                  "told why: "
                  + ok.error().message);
    told = true;
    repair(request, *reply, ok.error(), context);
  }
}

void model_asker::repair(chat_request& request, const chat_reply& reply,
                         const error& problem, job_context& context) const {
  note(context, &role_counts::repaired, problem.message);
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
        caller_of(context));
}

error model_asker::rejected(const std::string& problem,
                            job_context& context) const {
  note(context, &role_counts::rejected, problem);
  context.rejected_at = context.calls;
  return {ec::malformed,
          fmt::format("{}: model '{}': {}", role_, model_.model, problem)};
}

std::string model_asker::cut_text(const chat_request& request,
                                  const chat_reply& reply) const {
  const auto* where = says_nothing(reply) ? " before its first word" : "";
  if (request.max_tokens > model_.max_tokens)
    return fmt::format("the reply with room for {} tokens was cut{} too; raise "
                       "{}.max_tokens",
                       request.max_tokens, where, role_);
  if (request.max_tokens > 0)
    return fmt::format("the reply was cut at {} tokens ({}.max_tokens){}",
                       request.max_tokens, role_, where);
  const auto at = reply.usage.completion == 0
                      ? std::string{"off"}
                      : fmt::format("at {} tokens", reply.usage.completion);
  return fmt::format("the reply was cut {}{}, a limit of its server; "
                     "{}.max_tokens is not set",
                     at, where, role_);
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

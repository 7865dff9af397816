#include "roles/model/conversation.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "kb/experience/experience.hpp"
#include "roles/model/examples.hpp"
#include "roles/model/reply_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

constexpr std::size_t max_reason_bytes = 500;
constexpr std::size_t max_words_bytes = 160; ///< of a message about them

/// The tool that ends the attempt. With one, words neither end it nor reach
/// anyone. Empty: there is none.
std::string ending_tool(const std::vector<tool_spec>& tools) {
  const auto found = std::ranges::find_if(
      tools, [](const auto& tool) { return tool.kind == tool_kind::finish; });
  return found == tools.end() ? std::string{} : found->name;
}

/// Marks a call whose end a cut reply may lack. Without arguments it could not
/// be told from a call that has none.
void mark_cut(std::vector<read_call>& calls) {
  if (calls.empty()) return;
  auto& last = calls.back();
  if (last.problem || trim(last.raw).empty())
    last.problem = error{ec::malformed, "the reply was cut off"};
}

} // namespace

conversation::conversation(const model_asker& ask, conversation_options options,
                           const task_info& task, environment& env,
                           retrieval_session& retrieval, job_context& context)
    : ask_(ask), options_(options), env_(env), retrieval_(retrieval),
      context_(context), seed_query_(task.instruction),
      examples_(context.method == methods::in_context) {}

result<trajectory> conversation::run() {
  const auto opening = env_.opening();
  // Not the agent's failure, even if the user's model was what gave up.
  if (!opening) return opening.error();
  if (auto ok = prepare(*opening); !ok) return given_up(ok.error());
  while (made_ < options_.max_calls) {
    const auto reply = next_reply();
    if (!reply && reply.error().code == ec::context_too_long) {
      const auto why = collapse_spaces(reply.error().message);
      ask_.note(context_, &role_counts::overflowed, why);
      return cut_short(fmt::format("the conversation outgrew the model's "
                                   "context after {} calls and turns: {}",
                                   made_, why));
    }
    if (!reply) return given_up(reply.error());
    const auto over = play(*reply);
    if (!over) return over.error();
    if (*over) return cut_short({});
  }
  return cut_short(fmt::format("the agent was not done after {} calls and "
                               "turns (agent.max_calls)",
                               made_));
}

/// The attempt as it stands.
trajectory conversation::cut_short(std::string why) {
  return {std::move(steps_), std::move(why)};
}

/// A model that could go on and did not is the agent's failure, at its first
/// words as at any later ones; many say in words that they are done. All else
/// is nobody's attempt.
result<trajectory> conversation::given_up(const error& why) {
  if (!ask_.gave_up(why, context_)) return why;
  const auto words =
      only_words_.empty()
          ? std::string{}
          : fmt::format(" there were words where only a call counts (\"{}\")",
                        only_words_);
  auto out = cut_short(fmt::format("after {}{}: {}", counted(made_, "call"),
                                   words, collapse_spaces(why.message)));
  out.broke_off = context_.said_nothing;
  return out;
}

result<void> conversation::prepare(const std::string& opening) {
  talks_ = !opening.empty();
  if (talks_) seed_query_ = opening;
  prompt_["briefing"] = {env_.briefing()};
  prompt_["task"] = {seed_query_};
  ending_ = ending_tool(env_.tools());
  prompt_["finish_tool"] = {ending_};
  prompt_["conversation"] = {talks_ ? "yes" : ""};
  prompt_["words_end"] = {talks_ || !ending_.empty() ? "" : "yes"};
  request_.tools = tools_for_model(env_.tools());
  if (!request_.tools.empty())
    request_.tool_choice = ending_.empty() ? "auto" : "required";
  auto found = retrieve({});
  if (!found) return found.error();
  prompt_[examples_ ? "examples" : "documents"] = std::move(*found);
  if (context_.method == methods::step_back)
    if (auto ok = step_back(); !ok) return ok;
  request_.messages = {{chat_role::system, {}, {}, {}, {}},
                       {chat_role::user, opening, {}, {}, {}}};
  show_prompt();
  return {};
}

result<void> conversation::step_back() {
  auto principle = ask_.ask_until_read<std::string>(
      ask_.prompted("step-back", {{"briefing", prompt_["briefing"]},
                                  {"tools", {tools_text(env_.tools())}},
                                  {"task", prompt_["task"]}}),
      [](const chat_reply& reply) -> result<std::string> {
        if (trim(reply.content).empty())
          return error{ec::malformed, "it has no words"};
        return reply.content;
      },
      context_);
  if (!principle) return principle.error();
  prompt_["principle"] = {std::move(*principle)};
  return {};
}

/// Asks with the first query and the newest words or observation. What was
/// shown before is still in the conversation, so it is not repeated, unless the
/// query is: who meets the same again may have made no use of it. Then once,
/// for answers such as "ok" come many times.
result<std::vector<std::string>>
conversation::retrieve(const std::string& newest) {
  std::vector<std::string> found;
  auto query = seed_query_;
  if (!newest.empty()) query += "\n" + newest;
  if (retrieval_.empty()) return found;
  const auto asked = ++queries_[query];
  if (asked > 2) return found;
  const auto step = static_cast<std::uint32_t>(steps_.size());
  const auto documents = retrieval_.retrieve(query, step);
  if (!documents) return documents.error();
  for (const auto* doc : *documents)
    if (shown_.insert(doc->hash).second || asked == 2)
      found.push_back(told_text(doc->body));
  return examples_ ? examples_within(std::move(found), options_.example_tokens)
                   : found;
}

void conversation::show_prompt() {
  std::vector<std::string_view> later;
  for (const auto& doc : retrieval_.documents())
    later.push_back(doc->body);
  marker_ = ask_.prompts().choose_marker("agent", prompt_, later);
  auto texts = ask_.prompts().fill("agent", prompt_, marker_);
  request_.messages[0].content = std::move(texts.system);
  if (!talks_) request_.messages[1].content = std::move(texts.user);
}

/// Adds new documents to the last message: some servers refuse two messages of
/// the user in a row, or one after a tool's answer.
result<void> conversation::add_notes(const std::string& newest) {
  auto found = retrieve(newest);
  if (!found) return found.error();
  if (found->empty()) return {};
  auto& last = request_.messages.back().content;
  last += "\n\n"
          + ask_.prompts().later_turn(
              "notes", {{"documents", std::move(*found)}}, marker_);
  return {};
}

/// With what the turn brought: the user's words, or the last observation.
result<void> conversation::add_notes(const turn_outcome& outcome) {
  if (examples_) return {};
  if (talks_)
    return outcome.reply.empty() ? result<void>{} : add_notes(outcome.reply);
  if (!options_.per_observation || outcome.results.empty()
      || outcome.results.back().failed
      || outcome.results.back().content.empty())
    return {};
  return add_notes(outcome.results.back().content);
}

result<chat_reply> conversation::next_reply() {
  return ask_.ask_until_read<chat_reply>(
      request_, [this](const chat_reply& reply) { return usable(reply); },
      context_);
}

/// An empty reply, and words where only a call counts, are asked for once more.
result<chat_reply> conversation::usable(const chat_reply& reply) {
  only_words_.clear();
  if (!reply.tool_calls.empty()) return reply;
  if (trim(reply.content).empty())
    return error{ec::malformed, "it has neither words nor a call"};
  if (ending_.empty()) return reply;
  only_words_ = excerpt(collapse_spaces(reply.content), max_words_bytes);
  if (reply.finish != chat_finish::length) // else the call may have come later
    ask_.note(context_, &role_counts::words, only_words_);
  return error{ec::malformed,
               fmt::format("it has only words, and nobody reads them. Call one "
                           "of your tools; `{}` ends the attempt",
                           ending_)};
}

result<bool> conversation::play(const chat_reply& reply) {
  auto calls = read_calls(reply.tool_calls, made_);
  if (reply.finish == chat_finish::length) mark_cut(calls);
  const auto left = options_.max_calls - made_;
  if (calls.size() > left) calls.resize(left);
  turn move{reply.content, {}};
  for (const auto& item : calls)
    if (!item.problem) move.calls.push_back(item.call);
  made_ += static_cast<std::uint32_t>(std::max<std::size_t>(1, calls.size()));
  request_.messages.push_back(said_by_model(reply.content, calls));
  turn_outcome outcome;
  // The environment gets no turn if none of the calls can be parsed.
  if (calls.empty() || !move.calls.empty()) {
    auto taken = take(move);
    if (!taken) return taken.error();
    outcome = std::move(*taken);
  }
  record(outcome, reply.content);
  answer(calls, outcome);
  if (outcome.over) return true;
  if (!outcome.reply.empty()) {
    request_.messages.push_back({chat_role::user, outcome.reply, {}, {}, {}});
  } else if (calls.empty()) {
    return error{ec::environment,
                 "the environment neither answered the agent's words nor "
                 "ended the attempt"};
  }
  if (auto ok = add_notes(outcome); !ok) return ok.error();
  return false;
}

result<turn_outcome> conversation::take(const turn& move) {
  auto outcome = env_.take_turn(move);
  if (outcome && outcome->results.size() != move.calls.size() && !outcome->over)
    return error{ec::environment,
                 fmt::format("the environment gave {} for {}",
                             counted(outcome->results.size(), "result"),
                             counted(move.calls.size(), "call"))};
  return outcome;
}

void conversation::record(const turn_outcome& outcome,
                          const std::string& words) {
  for (auto step : outcome.events) {
    if (step.reason.empty() && step.tool != words_tool
        && step.requestor == "assistant")
      step.reason = excerpt(collapse_spaces(words), max_reason_bytes);
    steps_.push_back(std::move(step));
  }
}

/// Adds one message per call, in order, and a step for each call that cannot be
/// parsed.
void conversation::answer(const std::vector<read_call>& calls,
                          const turn_outcome& outcome) {
  std::size_t next = 0;
  for (const auto& item : calls) {
    std::string content;
    if (item.problem) {
      content = "Error: the call was not made, its arguments cannot be read: "
                + item.problem->message + ". Send them as one JSON object.";
      ask_.note(context_, &role_counts::bad_arguments, item.problem->message);
      steps_.push_back({.requestor = "assistant",
                        .tool = item.call.name,
                        .arguments = json{{"unreadable", item.raw}}.dump(
                            -1, ' ', false, json::error_handler_t::replace),
                        .observation = content,
                        .failed = true,
                        .mutates = false,
                        .reason = "arguments that cannot be read"});
    } else if (next < outcome.results.size()) {
      content = outcome.results[next++].content;
    }
    request_.messages.push_back(
        {chat_role::tool, std::move(content), {}, {}, item.call.id});
  }
}

} // namespace brewery

#include "roles/model/llm_user.hpp"

#include "base/text.hpp"
#include "roles/model/reply_text.hpp"
#include "roles/model/tool_calls.hpp"

namespace brewery {

namespace {

chat_message message_of(const user_event& event) {
  if (event.what == user_event::kind::heard)
    return {chat_role::user, event.text, {}, {}, {}};
  if (event.what == user_event::kind::answered)
    return {chat_role::tool, event.text, {}, {}, event.id};
  chat_message out{chat_role::assistant, event.move.text, {}, {}, {}};
  for (const auto& call : event.move.calls)
    out.tool_calls.push_back({call.id, call.name, call.arguments.dump()});
  return out;
}

/// `moves` is the number of the user's turns so far; it makes ids unique.
result<turn> move_of(const chat_reply& reply, bool has_tools,
                     std::size_t moves) {
  turn out{reply.content, {}};
  if (!reply.tool_calls.empty() && !has_tools)
    return error{ec::malformed, "it calls a tool, but the user has none"};
  for (auto& item : read_calls(reply.tool_calls, 100 * moves)) {
    if (item.problem)
      return error{ec::malformed, "the arguments of " + shown(item.call.name)
                                      + ": " + item.problem->message};
    out.calls.push_back(std::move(item.call));
  }
  if (trim(out.text).empty() && out.calls.empty())
    return error{ec::malformed, "it is empty; say or do something"};
  return out;
}

} // namespace

result<turn> llm_user::answer(const user_briefing& briefing,
                              const std::vector<user_event>& seen) {
  const bool has_tools = briefing.tools != nullptr && !briefing.tools->empty();
  auto request = ask_.prompted("user", {{"guidelines", {briefing.guidelines}},
                                        {"scenario", {briefing.scenario}},
                                        {"tools", {has_tools ? "yes" : ""}}});
  if (has_tools) {
    request.tools = tools_for_model(*briefing.tools);
    request.tool_choice = "auto";
  }
  for (const auto& event : seen)
    request.messages.push_back(message_of(event));
  return ask_.ask_until_read<turn>(
      std::move(request),
      [&](const chat_reply& reply) {
        return move_of(reply, has_tools, seen.size());
      },
      context_);
}

} // namespace brewery

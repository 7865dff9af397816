#include "base/printable.hpp"
#include "llm/accounts/usage.hpp"
#include "llm/format/chat_codec.hpp"
#include "llm/format/json_text.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

error malformed(std::string_view where, std::string_view why) {
  return {ec::malformed, fmt::format("chat reply: {} {}", where, why)};
}

error in_reply(const error& inner) {
  return {inner.code, "chat reply: " + inner.message};
}

/// A string, nothing, or a list of parts of which the text ones count.
result<std::string> content_of(const sorted_json& message) {
  const auto* content = member(message, "content");
  if (content == nullptr) return std::string{};
  if (content->is_string()) return content->get<std::string>();
  if (!content->is_array())
    return malformed("message.content", fmt::format("is {}, expected a string",
                                                    kind_of(*content)));
  std::string out;
  for (const auto& part : *content) {
    if (!part.is_object())
      return malformed("message.content[]", fmt::format("is {}, expected an "
                                                        "object",
                                                        kind_of(part)));
    auto text = text_member(part, "text", "message.content[]");
    if (!text) return in_reply(text.error());
    out += *text;
  }
  return out;
}

/// As a string; servers that give an object mean its text.
result<std::string> arguments_of(const sorted_json& function,
                                 const std::string& where) {
  const auto* found = member(function, "arguments");
  if (found == nullptr) return std::string{"{}"};
  if (found->is_string()) return found->get<std::string>();
  if (found->is_object()) return to_text(*found);
  return malformed(where + ".function.arguments",
                   fmt::format("is {}, expected a string", kind_of(*found)));
}

result<chat_tool_call> call_of(const sorted_json& call, std::size_t index) {
  const auto where = fmt::format("tool_calls[{}]", index);
  const auto* function = member(call, "function");
  if (function == nullptr || !function->is_object())
    return malformed(where, "has no function");
  chat_tool_call out;
  auto id = text_member(call, "id", where);
  auto name = text_member(*function, "name", where + ".function");
  auto arguments = arguments_of(*function, where);
  if (!id) return in_reply(id.error());
  if (!name) return in_reply(name.error());
  if (!arguments) return arguments.error();
  if (name->empty()) return malformed(where, "does not name its function");
  // The answer to a call must name its id; some servers send none.
  out.id = id->empty() ? fmt::format("call_{}", index) : *std::move(id);
  out.name = *std::move(name);
  out.arguments = arguments->empty() ? "{}" : *std::move(arguments);
  return out;
}

result<std::vector<chat_tool_call>> calls_of(const sorted_json& message) {
  std::vector<chat_tool_call> out;
  const auto* calls = member(message, "tool_calls");
  if (calls == nullptr) return out;
  if (!calls->is_array())
    return malformed("message.tool_calls",
                     fmt::format("is {}, expected a list", kind_of(*calls)));
  for (std::size_t i = 0; i < calls->size(); ++i) {
    auto call = call_of((*calls)[i], i);
    if (!call) return call.error();
    out.push_back(*std::move(call));
  }
  return out;
}

result<chat_finish> finish_of(const sorted_json& choice, bool has_calls) {
  auto reason = text_member(choice, "finish_reason", "choices[0]");
  if (!reason) return in_reply(reason.error());
  if (*reason == "content_filter")
    return error{ec::refused_content,
                 "the server's content filter stopped the reply"};
  if (*reason == "length") return chat_finish::length;
  // Some servers say "stop" although there are calls.
  if (has_calls) return chat_finish::tool_calls;
  return *reason == "stop" ? chat_finish::stop : chat_finish::other;
}

result<chat_reply> read_choice(const sorted_json& choice) {
  const auto* message = member(choice, "message");
  if (message == nullptr || !message->is_object())
    return malformed("choices[0]", "has no message");
  chat_reply out;
  auto content = content_of(*message);
  if (!content) return content.error();
  auto calls = calls_of(*message);
  if (!calls) return calls.error();
  auto refusal = text_member(*message, "refusal", "message");
  if (!refusal) return in_reply(refusal.error());
  auto finish = finish_of(choice, !calls->empty());
  if (!finish) return finish.error();
  if (!refusal->empty() && content->empty() && calls->empty())
    return error{ec::refused_content,
                 "the model refused: " + ascii_line(*refusal, 120)};
  out.content = *std::move(content);
  out.tool_calls = *std::move(calls);
  out.finish = *finish;
  return out;
}

} // namespace

result<chat_reply> decode_chat(std::string_view body) {
  const auto parsed = parse_server_json(body, "chat reply");
  if (!parsed) return parsed.error();
  if (!parsed->is_object())
    return malformed(
        "it", fmt::format("is {}, expected an object", kind_of(*parsed)));
  const auto* choices = member(*parsed, "choices");
  if (choices == nullptr || !choices->is_array() || choices->empty())
    return malformed("choices", "is missing or empty");
  auto usage = usage_of(*parsed);
  if (!usage) return in_reply(usage.error());
  auto model = text_member(*parsed, "model", "reply");
  if (!model) return in_reply(model.error());
  auto out = read_choice(choices->front());
  if (!out) return out;
  out->usage = *usage;
  out->model = *std::move(model);
  return out;
}

} // namespace brewery

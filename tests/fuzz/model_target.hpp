#pragma once
/// What model servers and models send: replies, refusals, JSON between words.
/// As in targets.hpp, a function takes any bytes and says what is wrong.

#include "llm/client/attempt.hpp"
#include "llm/format/chat_codec.hpp"
#include "llm/format/chat_stream.hpp"
#include "llm/format/embedding_codec.hpp"
#include "llm/format/json_schema.hpp"
#include "llm/format/server_error.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace brewery::fuzz {

/// Messages end in logs and on terminals.
inline std::string check_text(const std::string& message) {
  if (message.empty()) return "refused without a word";
  if (message.size() > 2000) return "a refusal of a page";
  return std::all_of(message.begin(), message.end(),
                     [](char c) { return c >= ' ' && c <= '~'; })
             ? ""
             : "a refusal with control characters: " + message;
}

inline std::string check_usage(const token_usage& usage) {
  if (usage.cached > usage.prompt) return "more cached than asked";
  if (usage.reasoning > usage.completion) return "more thought than answered";
  return {};
}

inline std::string chat_text(std::string_view bytes) {
  const auto got = decode_chat(bytes);
  if (!got) return check_text(got.error().message);
  for (const auto& call : got->tool_calls)
    if (call.id.empty() || call.name.empty()) return "a call without a name";
  // It can be said back to the server, as the next request does.
  chat_request next;
  next.messages.push_back(
      {chat_role::assistant, got->content, {}, got->tool_calls, {}});
  if (const auto sent = encode_chat(next, {}); !sent)
    return "it cannot be sent back: " + sent.error().message;
  return check_usage(got->usage);
}

inline std::string embedding_text(std::string_view bytes) {
  const embedding_request request{"e", {"a", "b"}, 0};
  const auto got = decode_embedding(bytes, request);
  if (!got) return check_text(got.error().message);
  if (got->vectors.size() != 2
      || got->vectors[0].size() != got->vectors[1].size()
      || got->vectors[0].empty())
    return "vectors that do not fit the request";
  return check_usage(got->usage);
}

/// A stream: joined to the same, wherever it is cut, and read like a reply.
inline std::string stream_text(std::string_view bytes) {
  chat_stream whole;
  whole.take(bytes);
  whole.end();
  chat_stream parts;
  for (std::size_t at = 0; at < bytes.size(); at += 7)
    parts.take(bytes.substr(at, 7));
  parts.end();
  if (parts.body() != whole.body() || parts.whole() != whole.whole()
      || parts.stage() != whole.stage())
    return "it depends on where the stream is cut";
  if (!whole.broken().empty()) return check_text(whole.broken());
  return whole.whole() && !whole.failed() ? chat_text(whole.body()) : "";
}

/// The first byte is the status; the key in it must not come back.
inline std::string refusal_text(std::string_view bytes) {
  static const auto server = [] {
    provider out;
    out.name = "p";
    out.base_url = "http://localhost";
    out.api_key = secret{"sk-0123456789abcdef"};
    return *check(out);
  }();
  if (bytes.empty()) return {};
  http_outcome outcome;
  outcome.reply.status = 100 + 2 * static_cast<unsigned char>(bytes.front());
  outcome.reply.body = bytes.substr(1);
  outcome.reply.headers = {{"Retry-After", std::string{bytes.substr(1, 40)}}};
  const auto got =
      classify_attempt(server, std::move(outcome), {}, 1'700'000'000);
  const auto& why = got.result.why.message;
  if (got.result.outcome == attempt_outcome::answered)
    return std::holds_alternative<chat_reply>(got.answer.reply)
               ? ""
               : "an answer of another kind";
  if (why.find("sk-0123456789abcdef") != std::string::npos)
    return "the key is shown: " + why;
  return check_text(why);
}

/// A schema, a line break, and a reply to it.
inline std::string schema_text(std::string_view bytes) {
  const auto end = std::min(bytes.find('\n'), bytes.size());
  const auto schema = json_schema::parse(bytes.substr(0, end));
  if (!schema) return check_text(schema.error().message);
  const auto reply = bytes.substr(std::min(end + 1, bytes.size()));
  const auto found = extract_json(reply, *schema);
  if (!found) return check_text(found.error().message);
  if (reply.find(*found) == reply.npos) return "JSON that nobody wrote";
  const auto again = schema->check(*found);
  return again ? "" : "what it found is not valid: " + again.error().message;
}

/// The first byte says what the rest is.
inline std::string model(std::string_view bytes) {
  if (bytes.empty()) return {};
  const auto rest = bytes.substr(1);
  switch (static_cast<unsigned char>(bytes.front()) % 5) {
  case 0:
    return chat_text(rest);
  case 1:
    return embedding_text(rest);
  case 2:
    return refusal_text(rest);
  case 4:
    return stream_text(rest);
  default:
    return schema_text(rest);
  }
}

} // namespace brewery::fuzz

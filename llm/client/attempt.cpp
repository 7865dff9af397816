#include "llm/client/attempt.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "llm/accounts/usage.hpp"
#include "llm/format/chat_codec.hpp"
#include "llm/format/embedding_codec.hpp"
#include "llm/format/json_text.hpp"
#include "llm/format/server_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace brewery {

namespace {

struct meaning {
  attempt_outcome outcome;
  ec code;
};

meaning meaning_of(const http_outcome& from) {
  using enum attempt_outcome;
  switch (from.trouble) {
  case http_trouble::none:
    break;
  case http_trouble::unreachable:
  case http_trouble::not_sent:
    return {not_sent, ec::io};
  case http_trouble::untrusted:
    return {refused, ec::io};
  case http_trouble::proxy:
    if (from.proxy_status == 407) return {refused, ec::unauthorized};
    return {from.proxy_status >= 500 ? not_sent : refused, ec::io};
  case http_trouble::stale:
    return {stale, ec::io};
  case http_trouble::no_reply:
  case http_trouble::cut_off:
    return {maybe_processed, ec::io};
  case http_trouble::bad_http:
  case http_trouble::too_large:
    return {invalid_reply, ec::malformed};
  case http_trouble::connect_timeout:
  case http_trouble::send_timeout:
    return {not_sent, ec::timeout};
  case http_trouble::first_byte_timeout:
  case http_trouble::idle_timeout:
  case http_trouble::total_timeout:
    return {from.all_sent ? maybe_processed : not_sent, ec::timeout};
  case http_trouble::cancelled:
    return {cancelled, ec::cancelled};
  }
  return {not_sent, ec::internal};
}

attempt_result from_trouble(const checked_provider& server,
                            const http_outcome& from) {
  const auto means = meaning_of(from);
  attempt_result out;
  out.outcome = means.outcome;
  out.why.code = means.code;
  const bool of_proxy = from.trouble == http_trouble::proxy;
  out.why.message =
      (of_proxy ? fmt::format("proxy {}: ", server.proxy->authority()) : "")
      + ascii_line(from.what);
  if (from.trouble == http_trouble::untrusted)
    out.why.message += "; check base_url, and ca_file if the server has a "
                       "certificate of its own";
  if (means.code == ec::unauthorized)
    out.why.message += "; check the user name and password of the proxy";
  return out;
}

/// From a reply with status 200; fills `answer`.
result<void> decode(const std::string& body, const embedding_request* embedding,
                    model_answer& answer) {
  if (!embedding) {
    auto chat = decode_chat(body);
    if (!chat) return chat.error();
    answer.reply = *std::move(chat);
    return {};
  }
  auto vectors = decode_embedding(body, *embedding);
  if (!vectors) return vectors.error();
  answer.reply = *std::move(vectors);
  return {};
}

sorted_json without_secrets(const sorted_json& value, const redactor& redact) {
  if (value.is_string()) return redact(value.get<std::string>());
  if (!value.is_structured()) return value;
  sorted_json out =
      value.is_array() ? sorted_json::array() : sorted_json::object();
  for (const auto& [name, inner] : value.items()) {
    if (value.is_array())
      out.push_back(without_secrets(inner, redact));
    else
      out[redact(name)] = without_secrets(inner, redact);
  }
  return out;
}

/// Redacts the parsed text if it is JSON, because JSON can escape any
/// character.
std::string without_secrets(const std::string& body, const redactor& redact) {
  const auto parsed = parse_server_json(body, "reply");
  return parsed ? to_text(without_secrets(*parsed, redact)) : redact(body);
}

/// Removes the key from an answer: a model that repeats it would write it to
/// the event log.
void clean_answer(model_answer& answer, const redactor& redact) {
  auto* chat = std::get_if<chat_reply>(&answer.reply);
  if (!chat) return;
  chat->content = redact(std::move(chat->content));
  for (auto& call : chat->tool_calls)
    call.arguments = redact(std::move(call.arguments));
}

/// Of a gateway, a login or a wrong address. A type without such a body is no
/// web page: some servers send JSON as text/html.
bool is_web_page(const http_reply& reply) {
  const auto body = trim(reply.body);
  if (body.empty()) return false;
  const bool html = lower(find_header(reply.headers, "content-type"))
                        .starts_with("text/html");
  return body.front() == '<'
         || (html && body.front() != '{' && body.front() != '[');
}

void judge_reply(const checked_provider& server, const http_reply& reply,
                 const embedding_request* embedding, std::int64_t now,
                 call_attempt& out) {
  out.result.status = reply.status;
  const bool success = reply.status >= 200 && reply.status < 300;
  if (success && decode(reply.body, embedding, out.answer))
    return clean_answer(out.answer, server.redact_answer);
  // Redact first: parts of the body will be shown, and half a key is still a
  // leak.
  const auto body = without_secrets(reply.body, server.redact);
  if (!success || is_error_body(body)) {
    out.result =
        classify(reply.status, reply.headers, read_complaint(body), now);
    return;
  }
  const auto done = decode(body, embedding, out.answer);
  if (done) return;         // a secret had made the body malformed
  if (is_web_page(reply)) { // no model was asked
    out.result.outcome = attempt_outcome::refused;
    out.result.why = {ec::not_found, "it sent a web page; check base_url (it "
                                     "ends in /v1 for most servers)"};
    return;
  }
  const bool refused = done.error().code != ec::malformed;
  out.refused = counts_in(body);
  out.charged = out.refused == token_usage{};
  out.result.why = done.error();
  out.result.outcome =
      refused ? attempt_outcome::refused : attempt_outcome::invalid_reply;
}

// -- streams -----------------------------------------------------------------

/// The reply to a stream can be judged: all of it came, or what broke came
/// after all that matters.
bool has_stream(const http_outcome& outcome, const chat_stream* stream) {
  if (!outcome.streamed || outcome.trouble == http_trouble::cancelled)
    return false;
  return outcome.trouble == http_trouble::none || stream->whole()
         || stream->stage() == sink_stage::ended;
}

void judge_stream(const checked_provider& server, const http_outcome& outcome,
                  chat_stream& stream, std::int64_t now, call_attempt& out) {
  if (outcome.trouble == http_trouble::none) stream.end();
  out.result.status = 200;
  if (!stream.broken().empty()) {
    out.result.outcome = attempt_outcome::invalid_reply;
    out.result.why = {ec::malformed, "chat reply: " + stream.broken()};
    return;
  }
  if (!stream.whole()) {
    out.result.outcome = attempt_outcome::maybe_processed;
    out.result.why = {ec::io,
                      fmt::format("the stream {} after {}, without a "
                                  "finish_reason: the reply is cut off",
                                  stream.done() ? "said [DONE]" : "ended",
                                  counted(stream.pieces(), "piece"))};
    if (stream.done()) out.stream = stream_verdict::interrupted;
    return;
  }
  judge_reply(server, {200, outcome.reply.headers, stream.body()}, nullptr, now,
              out);
  // An error after the first words: what was written may be charged.
  if (!stream.failed() || !stream.spoke()) return;
  out.charged = true;
  if (out.result.outcome != attempt_outcome::refused)
    out.result.outcome = attempt_outcome::maybe_processed;
}

/// Whether a refusal is about "stream": the word, not "upstream".
bool names_streaming(const std::string& said) {
  constexpr std::string_view word = "stream";
  for (auto at = said.find(word); at != std::string::npos;
       at = said.find(word, at + 1))
    if (at == 0 || !std::isalnum(static_cast<unsigned char>(said[at - 1])))
      return true;
  return false;
}

stream_verdict verdict_of(const call_attempt& attempt,
                          const chat_stream& stream) {
  using enum attempt_outcome;
  const auto& result = attempt.result;
  if (attempt.stream != stream_verdict::unknown) return attempt.stream;
  if (result.outcome == answered) {
    if (stream.pieces() == 0) return stream_verdict::plain;
    return stream.has_usage() ? stream_verdict::works
                              : stream_verdict::no_usage;
  }
  constexpr std::array statuses{400u, 404u, 405u, 415u, 422u, 500u, 501u};
  const bool refusal =
      std::find(statuses.begin(), statuses.end(), result.status)
      != statuses.end();
  const auto said = lower(result.why.message);
  if (refusal && names_streaming(said))
    return said.find("stream_options") != std::string::npos
               ? stream_verdict::usage_refused
               : stream_verdict::refused;
  const bool may_be_why = result.outcome == server_error
                          || result.outcome == maybe_processed
                          || result.outcome == invalid_reply;
  return may_be_why ? stream_verdict::failed : stream_verdict::unknown;
}

} // namespace

call_attempt classify_attempt(const checked_provider& server,
                              http_outcome outcome,
                              const attempt_request& asked, std::int64_t now) {
  call_attempt out;
  out.bytes_sent = outcome.bytes_sent;
  out.bytes_received = outcome.bytes_received;
  // A stream under another Content-Type.
  if (asked.stream && outcome.trouble == http_trouble::none && !outcome.streamed
      && outcome.reply.status == 200 && looks_like_stream(outcome.reply.body)) {
    outcome.streamed = true;
    asked.stream->take(outcome.reply.body);
  }
  if (has_stream(outcome, asked.stream))
    judge_stream(server, outcome, *asked.stream, now, out);
  else if (outcome.trouble == http_trouble::none)
    judge_reply(server, outcome.reply, asked.embedding, now, out);
  else
    out.result = from_trouble(server, outcome);
  if (asked.stream) {
    out.stream = verdict_of(out, *asked.stream);
    if (out.stream == stream_verdict::refused
        || out.stream == stream_verdict::usage_refused)
      out.result.outcome = attempt_outcome::stream_refused;
  }
  const bool counted = out.refused != token_usage{};
  out.charged = out.charged || (may_be_charged(out.result.outcome) && !counted);
  auto& message = out.result.why.message;
  if (out.result.outcome != attempt_outcome::answered)
    message = server.redact(
        fmt::format("model server '{}': {}", server.options.name, message));
  return out;
}

} // namespace brewery

#pragma once
/// Requests to language models and their answers, in the terms of the
/// chat-completions and embeddings interfaces that most servers offer. Plain
/// described structs: workers send them to the coordinator, the recording of a
/// run stores them, and their hash finds a recorded reply.
///
/// JSON values (arguments, schemas) are stored as text.

#include "base/alternatives.hpp"
#include "base/fields.hpp"
#include "base/ids.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace brewery {

enum class chat_role : std::uint8_t {
  system = 0,
  user = 1,
  assistant = 2,
  tool = 3, ///< the answer to a call
};

struct chat_tool_call {
  std::string id; ///< repeated in the reply to it
  std::string name;
  std::string arguments; ///< as the model wrote it; should be JSON
  BREWERY_FIELDS(chat_tool_call, id, name, arguments)
};

struct chat_image {
  std::string media_type; ///< "image/png"
  std::string bytes;      ///< not encoded
  BREWERY_FIELDS(chat_image, media_type, bytes)
};

struct chat_message {
  chat_role role = chat_role::user;
  std::string content;
  std::vector<chat_image> images;         ///< of a user message
  std::vector<chat_tool_call> tool_calls; ///< of an assistant message
  std::string tool_call_id;               ///< of a tool message
  BREWERY_FIELDS(chat_message, role, content, images, tool_calls, tool_call_id)
};

struct chat_tool {
  std::string name;
  std::string description;
  std::string parameters; ///< JSON schema of the arguments
  BREWERY_FIELDS(chat_tool, name, description, parameters)
};

/// One completion. Contains everything that can change the answer and nothing
/// else: no address, no key, no timeout.
struct chat_request {
  std::string model; ///< its name on the server
  std::vector<chat_message> messages;
  std::vector<chat_tool> tools;
  std::string tool_choice; ///< "auto", "none", "required"; empty: not sent
  std::string schema_name; ///< of the reply; empty: free text
  std::string schema;      ///< JSON schema of the reply
  std::optional<double> temperature; ///< empty for reasoning models
  std::optional<std::uint64_t> seed;
  std::uint32_t max_tokens = 0; ///< of the reply, with reasoning; 0: not sent
  std::string reasoning_effort; ///< "low", "medium", ...; empty: not sent
  BREWERY_FIELDS(chat_request, model, messages, tools, tool_choice, schema_name,
                 schema, temperature, seed, max_tokens, reasoning_effort)
};

/// Token counts of the server.
struct token_usage {
  std::uint64_t prompt = 0; ///< including `cached`
  std::uint64_t cached = 0; ///< part of the prompt read from the server's cache
  std::uint64_t completion = 0; ///< including `reasoning`
  std::uint64_t reasoning = 0;
  BREWERY_FIELDS(token_usage, prompt, cached, completion, reasoning)
};

enum class chat_finish : std::uint8_t {
  stop = 0,
  tool_calls = 1,
  length = 2, ///< cut off at max_tokens
  other = 3,
};

struct chat_reply {
  std::string content;
  std::vector<chat_tool_call> tool_calls;
  chat_finish finish = chat_finish::stop;
  token_usage usage;
  std::string model; ///< as reported by the server
  BREWERY_FIELDS(chat_reply, content, tool_calls, finish, usage, model)
};

struct embedding_request {
  std::string model;
  std::vector<std::string> texts;
  std::uint32_t dimensions = 0; ///< 0: the model's own
  BREWERY_FIELDS(embedding_request, model, texts, dimensions)
};

/// One vector per text, in the texts' order, all of one length; not normalised.
struct embedding_reply {
  std::vector<std::vector<double>> vectors;
  token_usage usage;
  BREWERY_FIELDS(embedding_reply, vectors, usage)
};

inline constexpr std::array<const char*, 2> model_call_names{"chat",
                                                             "embedding"};

/// A request with its place in the run: the job, the role, and the number of
/// the call.
///
/// Because of the place, two samples of one request get different replies, and
/// a repeated job gets the same replies again.
struct model_call {
  /// A verdict that asks nothing: the role could not use the reply to its call
  /// of this job and number.
  static constexpr const char* rejected = "rejected";

  job_id job;
  std::uint32_t number = 0; ///< counts the job's calls, from 0
  std::string role;         ///< "agent", "judge", ...: selects model and budget
  std::variant<chat_request, embedding_request> request;
  std::string verdict{}; ///< empty: a call
  static constexpr bool omit_if_empty = true;
  static constexpr bool optional_field(std::string_view field) {
    return field == "verdict";
  }
  static constexpr const char* type_name = "model_call";
  template <class Self, class F>
  static auto each(Self& self, F&& f) {
    return each_alternative(self.request, model_call_names, [&](auto... kinds) {
      return f(field{"job", self.job}, field{"number", self.number},
               field{"role", self.role}, kinds...,
               field{"verdict", self.verdict});
    });
  }
  bool operator==(const model_call&) const = default;
};

/// The model name in the call's request.
inline std::string& model_of(model_call& call) {
  return std::visit(
      [](auto& request) -> auto& { return request.model; }, call.request);
}

struct model_answer {
  std::variant<chat_reply, embedding_reply> reply;
  static constexpr const char* type_name = "model_answer";
  template <class Self, class F>
  static auto each(Self& self, F&& f) {
    return each_alternative(self.reply, model_call_names, f);
  }
  bool operator==(const model_answer&) const = default;
};

/// Whether the answer is of the call's kind.
inline bool answers(const model_answer& answer, const model_call& call) {
  return answer.reply.index() == call.request.index();
}

/// Hashes of the parts of a request. They show in which part another request
/// differs, without storing the request.
struct request_print {
  std::string settings; ///< model, sampling, schema
  std::string tools;
  std::vector<std::string> messages; ///< of a chat; texts of an embedding
  BREWERY_FIELDS(request_print, settings, tools, messages)
};

/// One call in the recording of a run. Without an answer: a call that failed
/// but must count as paid. With a print, a reply that is a refusal, as its
/// server counted it; without one, an attempt that may be charged, with all
/// that was reserved for it as `usage.prompt`.
struct model_record {
  std::string key; ///< llm/accounts/call_key.hpp
  job_id job;
  std::uint32_t number = 0;
  std::string role;
  request_print print;
  std::optional<model_answer> answer;
  token_usage usage;
  std::int64_t cost = 0;         ///< picodollars, at the prices of that time
  std::uint64_t duration_ms = 0; ///< with `asked_ms`, turns and pauses
  /// Its name in the catalog. Records of older releases have none, and no
  /// `asked_ms`.
  std::string model;
  std::uint64_t asked_ms = 0; ///< in attempts, also failed ones
  BREWERY_FIELDS(model_record, key, job, number, role, print, answer, usage,
                 cost, duration_ms, model, asked_ms)
  static constexpr bool optional_field(std::string_view field) {
    return field == "model" || field == "asked_ms";
  }

  [[nodiscard]] bool is_lost() const {
    return !answer && print.settings.empty();
  }
  /// Its server counted nothing, and `usage.prompt` is all that was reserved. A
  /// replayed record has no usage at all.
  [[nodiscard]] bool is_uncounted() const {
    if (!answer || usage.prompt == 0) return false;
    const auto counted =
        std::visit([](const auto& one) { return one.usage; }, answer->reply);
    return counted.prompt + counted.completion == 0;
  }
};

/// A part of a request as text, stored once in the recording of a run under its
/// hash in `request_print`. Shows how another request differs.
struct prompt_part {
  std::string text;
  BREWERY_FIELDS(prompt_part, text)
};

} // namespace brewery

#pragma once
/// What is asked of a language model and what it answers, in the terms of the
/// chat-completions and embeddings interfaces that most servers offer. Plain
/// described structs: they are sent from worker to coordinator, kept in the
/// recording of a run and hashed to find a reply again.
///
/// JSON (arguments, schemas) travels as its text. A member that is 0..1 is a
/// vector.

#include "base/fields.hpp"
#include "base/ids.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace brewery {

enum class chat_role : std::uint8_t {
  system = 0,
  user = 1,
  assistant = 2,
  tool = 3, ///< the answer to a call
};

struct chat_tool_call {
  std::string id; ///< the reply to it names it
  std::string name;
  std::string arguments; ///< as the model wrote it: JSON, one hopes
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

/// One completion. Everything that can change the answer is in here, nothing
/// else is: no address, no key, no timeout.
struct chat_request {
  std::string model; ///< as the server calls it
  std::vector<chat_message> messages;
  std::vector<chat_tool> tools;
  std::string tool_choice; ///< "auto", "none", "required"; empty: unsaid
  std::string schema_name; ///< of the reply; empty: free text
  std::string schema;      ///< JSON schema the reply has to follow
  std::vector<double> temperature; ///< 0..1: none for reasoning models
  std::vector<std::uint64_t> seed; ///< 0..1
  std::uint32_t max_tokens = 0; ///< of the reply, reasoning included; 0: unsaid
  std::string reasoning_effort; ///< "low", "medium", ...; empty: unsaid
  BREWERY_FIELDS(chat_request, model, messages, tools, tool_choice, schema_name,
                 schema, temperature, seed, max_tokens, reasoning_effort)
};

/// As the server counted them.
struct token_usage {
  std::uint64_t prompt = 0;     ///< `cached` included
  std::uint64_t cached = 0;     ///< of the prompt, read from the server's cache
  std::uint64_t completion = 0; ///< `reasoning` included
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
  std::string model; ///< as the server reports it
  BREWERY_FIELDS(chat_reply, content, tool_calls, finish, usage, model)
};

struct embedding_request {
  std::string model;
  std::vector<std::string> texts;
  std::uint32_t dimensions = 0; ///< 0: the model's own
  BREWERY_FIELDS(embedding_request, model, texts, dimensions)
};

/// One vector for each text, in their order, all of one length; not normalised.
struct embedding_reply {
  std::vector<std::vector<double>> vectors;
  token_usage usage;
  BREWERY_FIELDS(embedding_reply, vectors, usage)
};

/// A request with its place in the run: which role of which job asks, and the
/// how many-th time. Exactly one of `chat` and `embedding` is filled.
///
/// The place makes two samples of one request two replies, and a job that is
/// done once more the same ones.
struct model_call {
  job_id job;
  std::uint32_t number = 0; ///< of the job's calls, from 0
  std::string role; ///< "agent", "judge", ...: whose model, whose budget
  std::vector<chat_request> chat;
  std::vector<embedding_request> embedding;
  BREWERY_FIELDS(model_call, job, number, role, chat, embedding)
};

struct model_answer {
  std::vector<chat_reply> chat;
  std::vector<embedding_reply> embedding;
  BREWERY_FIELDS(model_answer, chat, embedding)
};

/// Hashes of the parts of a request, to say later in which part another one
/// differs without keeping the request.
struct request_print {
  std::string settings; ///< model, sampling, schema
  std::string tools;
  std::vector<std::string> messages; ///< of a chat; texts of an embedding
  BREWERY_FIELDS(request_print, settings, tools, messages)
};

/// One answered call in the recording of a run. Without an answer: a call that
/// failed but has to be taken for paid.
struct model_record {
  std::string key; ///< llm/call_key.hpp
  job_id job;
  std::uint32_t number = 0;
  std::string role;
  request_print print;
  std::vector<model_answer> answer; ///< 0..1
  token_usage usage;
  std::int64_t cost = 0; ///< picodollars, at the prices of the time
  std::uint64_t duration_ms = 0;
  BREWERY_FIELDS(model_record, key, job, number, role, print, answer, usage,
                 cost, duration_ms)
};

} // namespace brewery

#include "llm/accounts/call_key.hpp"

#include "base/hash.hpp"

#include <bit>

namespace brewery {

namespace {

/// Half of a content hash: enough to compare the few parts of one call.
std::string short_hash(const hash_input& parts) {
  return parts.content().substr(0, 16);
}

std::uint64_t bits(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

std::string settings_of(const chat_request& chat) {
  hash_input parts;
  parts.add("chat").add(chat.model).add(chat.tool_choice);
  parts.add(chat.schema_name).add(chat.schema);
  if (chat.temperature) parts.add(bits(*chat.temperature));
  parts.add("seed");
  if (chat.seed) parts.add(*chat.seed);
  parts.add(chat.reasoning_effort);
  return short_hash(parts);
}

std::string tools_of(const chat_request& chat) {
  hash_input parts;
  for (const auto& tool : chat.tools)
    parts.add(tool.name).add(tool.description).add(tool.parameters);
  return short_hash(parts);
}

std::string hash_of(const chat_message& message) {
  hash_input parts;
  parts.add(static_cast<std::uint64_t>(message.role)).add(message.content);
  parts.add(message.tool_call_id).add("images");
  for (const auto& image : message.images)
    parts.add(image.media_type).add(image.bytes);
  parts.add("calls");
  for (const auto& call : message.tool_calls)
    parts.add(call.id).add(call.name).add(call.arguments);
  return short_hash(parts);
}

} // namespace

bool samples(const model_call& call) {
  const auto* chat = std::get_if<chat_request>(&call.request);
  return chat && chat->temperature.value_or(1) > 0;
}

request_print print_of(const model_call& call) {
  request_print out;
  if (const auto* chat = std::get_if<chat_request>(&call.request)) {
    out.settings = settings_of(*chat);
    out.tools = tools_of(*chat);
    for (const auto& message : chat->messages)
      out.messages.push_back(hash_of(message));
  }
  if (const auto* request = std::get_if<embedding_request>(&call.request)) {
    hash_input parts;
    parts.add("embedding").add(request->model).add(request->dimensions);
    out.settings = short_hash(parts);
    for (const auto& text : request->texts)
      out.messages.push_back(short_hash(hash_input{}.add(text)));
  }
  return out;
}

std::string key_of(const model_call& call, const request_print& print) {
  hash_input parts;
  if (samples(call)) parts.add(call.job.value).add(call.number);
  parts.add(print.settings).add(print.tools);
  for (const auto& message : print.messages)
    parts.add(message);
  return parts.content();
}

} // namespace brewery

#include "base/encodings.hpp"
#include "base/printable.hpp"
#include "llm/accounts/known_models.hpp"
#include "llm/format/chat_codec.hpp"
#include "llm/format/json_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace brewery {

namespace {

error unusable(std::string_view where, std::string_view why) {
  return {ec::invalid_argument, fmt::format("chat request: {} {}", where, why)};
}

/// A schema, which is an object, from its text.
result<sorted_json> schema_of(const std::string& text,
                              const std::string& where) {
  auto parsed = parse_json_text(text, where);
  if (!parsed)
    return error{ec::invalid_argument,
                 "chat request: " + parsed.error().message};
  if (!parsed->is_object())
    return unusable(
        where, fmt::format("is {}, expected a JSON schema", kind_of(*parsed)));
  return parsed;
}

result<sorted_json> user_content(const chat_message& message,
                                 const std::string& where) {
  if (message.images.empty()) return sorted_json(message.content);
  auto parts = sorted_json::array();
  if (!message.content.empty())
    parts.push_back({{"type", "text"}, {"text", message.content}});
  for (const auto& image : message.images) {
    if (!image.media_type.starts_with("image/") || image.bytes.empty())
      return unusable(where,
                      fmt::format("has an image of type '{}' with {} bytes",
                                  ascii_line(image.media_type, 40),
                                  image.bytes.size()));
    parts.push_back(
        {{"type", "image_url"},
         {"image_url",
          {{"url", fmt::format("data:{};base64,{}", image.media_type,
                               base64(image.bytes))},
           // Screenshots have small print. Servers without a choice ignore it.
           {"detail", "high"}}}});
  }
  return parts;
}

sorted_json calls_of(const chat_message& message) {
  auto out = sorted_json::array();
  for (const auto& call : message.tool_calls)
    out.push_back(
        {{"id", call.id},
         {"type", "function"},
         {"function",
          {{"name", call.name},
           {"arguments", call.arguments.empty() ? "{}" : call.arguments}}}});
  return out;
}

result<sorted_json> message_of(const chat_message& message,
                               const std::string& where) {
  const bool assistant = message.role == chat_role::assistant;
  if (message.role != chat_role::user && !message.images.empty())
    return unusable(where, "has images; only a user's message can");
  if (!assistant && !message.tool_calls.empty())
    return unusable(where, "has tool calls; only an assistant's message can");
  switch (message.role) {
  case chat_role::system:
    return sorted_json{{"role", "system"}, {"content", message.content}};
  case chat_role::user: {
    auto content = user_content(message, where);
    if (!content) return content.error();
    return sorted_json{{"role", "user"}, {"content", *std::move(content)}};
  }
  case chat_role::assistant: {
    // Beside calls, too, where OpenAI has null or nothing: llama.cpp's Python
    // server refuses null, and answers 500 if it is left out and the model's
    // template reads it. All take an empty text.
    sorted_json out{{"role", "assistant"}, {"content", message.content}};
    if (!message.tool_calls.empty()) out["tool_calls"] = calls_of(message);
    return out;
  }
  case chat_role::tool:
    if (message.tool_call_id.empty())
      return unusable(where, "answers a tool call but does not say which");
    return sorted_json{{"role", "tool"},
                       {"tool_call_id", message.tool_call_id},
                       {"content", message.content}};
  }
  return unusable(where, "has no role");
}

result<void> add_tools(sorted_json& out, const chat_request& request) {
  if (request.tools.empty()) return {};
  auto tools = sorted_json::array();
  for (std::size_t i = 0; i < request.tools.size(); ++i) {
    const auto& tool = request.tools[i];
    sorted_json function{{"name", tool.name},
                         {"description", tool.description}};
    if (!tool.parameters.empty()) {
      auto schema =
          schema_of(tool.parameters, fmt::format("tools[{}] '{}': parameters",
                                                 i, ascii_line(tool.name, 60)));
      if (!schema) return schema.error();
      function["parameters"] = *std::move(schema);
    }
    tools.push_back({{"type", "function"}, {"function", std::move(function)}});
  }
  out["tools"] = std::move(tools);
  const auto& choice = request.tool_choice;
  if (choice.empty()) return {};
  if (choice != "auto" && choice != "none" && choice != "required")
    return unusable("tool_choice",
                    fmt::format("is '{}', expected auto, none or required",
                                ascii_line(choice, 40)));
  out["tool_choice"] = choice;
  return {};
}

/// The schema keeps its order: a server that constrains the reply makes the
/// members come in it.
result<void> add_schema(nlohmann::ordered_json& out,
                        const chat_request& request,
                        const chat_dialect& dialect) {
  if (request.schema.empty() || dialect.schemas == schema_form::none) return {};
  if (auto ok = schema_of(request.schema, "schema"); !ok) return ok.error();
  auto schema = request.schema;
  if (dialect.schemas == schema_form::plain) {
    auto plain = plain_schema(schema);
    if (!plain) return plain.error();
    schema = *std::move(plain);
  }
  out["response_format"] = {
      {"type", "json_schema"},
      {"json_schema",
       {{"name", request.schema_name.empty() ? "reply" : request.schema_name},
        {"strict", true},
        {"schema", nlohmann::ordered_json::parse(schema)}}}};
  return {};
}

result<void> add_sampling(sorted_json& out, const chat_request& request,
                          const chat_dialect& dialect) {
  if (request.temperature) {
    if (!std::isfinite(*request.temperature))
      return unusable("temperature", "is not a number");
    out["temperature"] = *request.temperature;
  }
  if (request.seed && dialect.seed)
    // Servers read it as a signed 64-bit integer.
    out["seed"] = *request.seed & 0x7fffffffffffffffu;
  if (!request.reasoning_effort.empty())
    out["reasoning_effort"] = request.reasoning_effort;
  if (request.max_tokens == 0) return {};
  const auto& field = dialect.max_tokens_field;
  const bool reasons =
      !request.reasoning_effort.empty() || is_reasoning_model(request.model);
  out[!field.empty() ? field
      : reasons      ? "max_completion_tokens"
                     : "max_tokens"] = request.max_tokens;
  return {};
}

} // namespace

result<std::string> encode_chat(const chat_request& request,
                                const chat_dialect& dialect) {
  if (request.messages.empty()) return unusable("messages", "is empty");
  sorted_json out{{"model", request.model}, {"messages", sorted_json::array()}};
  for (std::size_t i = 0; i < request.messages.size(); ++i) {
    auto message =
        message_of(request.messages[i], fmt::format("messages[{}]", i));
    if (!message) return message.error();
    out["messages"].push_back(*std::move(message));
  }
  if (auto ok = add_tools(out, request); !ok) return ok.error();
  if (auto ok = add_sampling(out, request, dialect); !ok) return ok.error();
  nlohmann::ordered_json body(out);
  if (auto ok = add_schema(body, request, dialect); !ok) return ok.error();
  return ordered_text(body);
}

} // namespace brewery

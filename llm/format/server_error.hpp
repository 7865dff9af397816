#pragma once
/// Interprets replies that are no answer. Pure.
///
/// Servers report errors in different forms. OpenAI: {"error": {message, type,
/// code}}. Azure also: {"error": {innererror}} and {"statusCode", "message"}.
/// vLLM: {"object": "error", message, type, code}. llama.cpp: {"error": {code:
/// 400, type}}. Ollama: {"error": "text"}. Gemini: [{"error": {...}}]. Python
/// frameworks: {"detail": ...}. Gateways: HTML. All of these are parsed. If no
/// rule matches, the HTTP status decides.

#include "llm/client/retry.hpp"

#include <string>
#include <string_view>

namespace brewery {

struct server_error_body {
  std::string message; ///< as the server wrote it; "" if none
  std::string kind;    ///< type and codes, separated by spaces
  unsigned status = 0; ///< from the body; 0: none
};

/// Parses a body. Text that is not JSON is the message itself.
server_error_body read_complaint(std::string_view body);

/// True if a reply with status 200 is an error: it has an error, but no choices
/// and no data.
bool is_error_body(std::string_view body);

/// `status` is the HTTP status. `now` is in seconds since 1970, for dates in
/// headers. The complaint must contain no secrets: a shortened copy is part of
/// the error.
attempt_result classify(unsigned status, const http_headers& headers,
                        const server_error_body& complaint, std::int64_t now);

} // namespace brewery

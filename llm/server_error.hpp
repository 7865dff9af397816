#pragma once
/// What a server means by a reply that is no answer. Pure.
///
/// Servers differ in where they say it: OpenAI {"error": {message, type,
/// code}}, Azure also {"error": {innererror}} and {"statusCode", "message"},
/// vLLM
/// {"object": "error", message, type, code}, llama.cpp {"error": {code: 400,
/// type}}, Ollama {"error": "text"}, Python frameworks {"detail": ...},
/// gateways HTML. All of them are read; what no rule knows goes by the status.

#include "llm/retry.hpp"

#include <string>
#include <string_view>

namespace brewery {

struct server_complaint {
  std::string message; ///< as the server wrote it, "" when it wrote none
  std::string kind;    ///< type and codes, separated by spaces
  unsigned status = 0; ///< that the body claims, 0: none
};

/// From a body; text that is not JSON is the message itself.
server_complaint read_complaint(std::string_view body);

/// Whether a reply with status 200 is an error all the same: it has an error
/// and no choices and no data.
bool is_error_body(std::string_view body);

/// `status` is that of HTTP, `now` seconds since 1970 for dates in headers.
/// The complaint must be free of secrets: shortened, it is part of the error.
attempt_result classify(unsigned status, const http_headers& headers,
                        const server_complaint& complaint, std::int64_t now);

} // namespace brewery

#pragma once
/// The options of one model server: address, credentials, timeouts and limits.
/// Any server with OpenAI's chat completions and embeddings works: OpenAI,
/// Azure, vLLM, llama.cpp's server, Ollama, gateways.

#include "base/secret.hpp"
#include "llm/client/retry.hpp"
#include "llm/format/json_schema.hpp"
#include "llm/http/url.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace brewery {

struct http_timeouts {
  /// Name look-up, TCP, proxy and TLS together.
  std::chrono::milliseconds connect{10'000};
  /// From the last byte of the request to the first of the reply. Minutes,
  /// because a model computes before it answers. Of a stream: to its first
  /// words, be they reasoning, and again from each sign of life before them.
  std::chrono::milliseconds first_byte{600'000};
  /// Between two parts of a reply, or of a request that is being sent.
  std::chrono::milliseconds idle{60'000};
  /// For one attempt, with connecting. Time spent waiting for the server's
  /// limits and between attempts does not count.
  std::chrono::milliseconds total{3'600'000};
};

struct secret_header {
  std::string name;
  secret value; ///< gateways use headers of their own for credentials
};

struct provider {
  std::string name; ///< used in configuration and messages
  /// The URL up to, but without, "/chat/completions". A query is allowed: Azure
  /// needs "...openai/deployments/NAME?api-version=...".
  std::string base_url;
  secret api_key; ///< empty: the server needs none
  /// "Authorization" sends "Bearer KEY". Any other header (Azure's "api-key")
  /// sends the key itself.
  std::string api_key_header = "Authorization";
  std::vector<secret_header> headers; ///< sent with every call
  /// "http://user:password@host:port". Empty: no proxy. https uses CONNECT.
  secret proxy;
  /// PEM file of authorities, instead of the system's.
  std::filesystem::path ca_file;

  http_timeouts timeouts;
  retry_policy retry;
  std::uint32_t initial_concurrency = 32; ///< initial limit of concurrent calls
  std::uint32_t most_concurrency = 512;   ///< upper bound of that limit
  /// A stream has about 250 bytes for each token.
  std::size_t reply_bytes_most = std::size_t{64} << 20;
  std::chrono::milliseconds keep_alive{30'000}; ///< for an idle connection

  schema_form schemas = schema_form::full; ///< what is sent of `schema`
  bool supports_seed = true;               ///< false: `seed` is not sent
  bool supports_stream = true;             ///< false: chats are never streamed
  /// Empty: "max_completion_tokens" with a reasoning effort and for models that
  /// are known to reason, otherwise "max_tokens".
  std::string max_tokens_field;
};

/// A provider after its addresses and headers were parsed.
struct checked_provider {
  provider options;
  url base;
  std::optional<url> proxy;
  std::vector<std::pair<std::string, std::string>> headers; ///< as sent
  redactor redact; ///< for every text about this provider that is shown
  /// For a model's answers. It only removes the API key, because other headers
  /// contain words that an answer may need.
  redactor redact_answer;
};

/// Error ec::invalid_config. The message has the option's name and value (never
/// a secret).
result<checked_provider> check(provider options);

} // namespace brewery

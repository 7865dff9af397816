#pragma once
/// One model server: where it is, how to get in, how patient and how busy to
/// be with it. Any server that speaks OpenAI's chat completions and embeddings:
/// OpenAI, Azure, vLLM, llama.cpp's server, Ollama, gateways.

#include "llm/retry.hpp"
#include "llm/secret.hpp"
#include "llm/url.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace brewery {

struct http_timeouts {
  /// Name look-up, TCP, proxy and TLS together.
  std::chrono::milliseconds connect{10'000};
  /// From the last byte of the request to the first of the reply. A model
  /// thinks before it answers, so this is minutes.
  std::chrono::milliseconds first_byte{300'000};
  /// Between two pieces of a reply, or of a request that is being sent.
  std::chrono::milliseconds idle{60'000};
  /// Of one attempt, connecting included. Waiting for the server's limits and
  /// between attempts does not count.
  std::chrono::milliseconds total{900'000};
};

struct secret_header {
  std::string name;
  secret value; ///< gateways take credentials in headers of their own
};

struct provider {
  std::string name; ///< how configuration and messages call it
  /// Up to, not including, "/chat/completions". A query is kept: Azure wants
  /// "...openai/deployments/NAME?api-version=...".
  std::string base_url;
  secret api_key; ///< empty: the server wants none
  /// "Authorization" sends "Bearer KEY"; any other (Azure's "api-key") the key.
  std::string api_key_header = "Authorization";
  std::vector<secret_header> headers; ///< sent with every call
  /// "http://user:password@host:port", empty: none. https goes through CONNECT.
  secret proxy;
  /// PEM, instead of the system's authorities.
  std::filesystem::path ca_file;

  http_timeouts timeouts;
  retry_policy retry;
  std::uint32_t initial_concurrency = 32; ///< calls at once, until it is known
  std::uint32_t most_concurrency = 512;   ///< never more
  std::size_t reply_bytes_most = std::size_t{32} << 20;
  std::chrono::milliseconds keep_alive{30'000}; ///< of an unused connection

  bool supports_json_schema = true; ///< else `schema` is not sent
  bool supports_seed = true;        ///< else `seed` is not sent
  /// Empty: "max_completion_tokens" with a reasoning effort, else "max_tokens".
  std::string max_tokens_field;
};

/// A provider whose addresses and headers have been read.
struct checked_provider {
  provider options;
  url base;
  std::vector<url> proxy;                                   ///< 0..1
  std::vector<std::pair<std::string, std::string>> headers; ///< as sent
  redactor redact; ///< for every text about this provider that is shown
  /// For what a model answers: the API key alone, since other headers hold
  /// words that an answer may need.
  redactor redact_answer;
};

/// ec::invalid_config with the option's name and value (never a secret).
result<checked_provider> check(provider options);

} // namespace brewery

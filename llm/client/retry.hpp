#pragma once
/// Decides what follows an attempt: accept, wait and retry, or give up. Pure.
///
/// A model call has no side effect except its cost. So the rule depends on
/// whether a failed attempt may have been charged. An attempt that was
/// certainly not charged (rate limit, no connection, request not sent
/// completely) is retried up to `most_retries` times. One that may have been
/// charged (the connection broke or timed out after the request was sent, or
/// the reply is garbled) is retried only with `retry_ambiguous`, at most
/// `most_paid_retries` times. Each such attempt is reported as spent.

#include "base/error.hpp"
#include "llm/model_transport.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace brewery {

enum class attempt_outcome : std::uint8_t {
  answered = 0,
  rate_limited = 1, ///< 429: not processed
  overloaded = 2,   ///< 503 and the like: not processed
  server_error = 3, ///< 500 and the like: failed at the server, not charged
  not_sent = 4,     ///< no connection, or it broke before the request was sent
  stale = 5,        ///< a reused connection that the server had just closed
  maybe_processed = 6, ///< sent, but without a whole reply: may be charged
  invalid_reply = 7,   ///< a reply that cannot be parsed: charged
  refused = 8,         ///< a refusal that a retry would not change
  cancelled = 9,
  /// The server does not stream. Not charged; asked again without streaming.
  stream_refused = 10,
};

std::string_view to_string(attempt_outcome outcome);

/// True if the server may charge for the attempt although no usable reply came.
bool may_be_charged(attempt_outcome outcome);

struct attempt_result {
  attempt_outcome outcome = attempt_outcome::answered;
  error why{ec::ok, {}}; ///< the call's error if this was its last attempt
  /// Requested by the server.
  std::optional<std::chrono::milliseconds> retry_after;
  unsigned status = 0; ///< of HTTP; 0: no reply
};

struct retry_policy {
  std::uint32_t most_retries = 8;
  bool retry_ambiguous = true; ///< `retry_paid` of the catalog
  std::uint32_t most_paid_retries = 2;
  std::chrono::milliseconds first_wait{500}; ///< doubles with each retry
  std::chrono::milliseconds longest_wait{60'000};
  /// If a server asks for a longer pause than this, the call fails.
  std::chrono::milliseconds longest_retry_after{600'000};
};

/// The previous attempts of a call, without the current one.
struct retry_history {
  std::uint32_t retries = 0; ///< without `stale` ones
  /// Of these, retries of attempts that may be charged.
  std::uint32_t paid_retries = 0;
};

struct retry_decision {
  bool again = false;
  std::chrono::milliseconds wait{0};
  /// If not again: the error of the call, with the number of attempts.
  error final{ec::ok, {}};
  std::string because{}; ///< why not again; for messages
};

/// Whom the last attempt of a call speaks against. `serves_others`: since this
/// call failed first, its model took up and answered another call.
call_fault fault_of(const attempt_result& last, bool serves_others);

/// The wait is the server's requested pause plus draw times the back-off.
/// `draw` is in [0, 1): full jitter spreads the retries of calls that were
/// refused together.
retry_decision decide(const retry_policy& policy, const attempt_result& last,
                      const retry_history& before, double draw);

using http_headers = std::vector<std::pair<std::string, std::string>>;

/// Reads `retry-after-ms`, `x-ms-retry-after-ms` or `Retry-After` (seconds,
/// with or without a fraction, or a date), in this order. `now` is in seconds
/// since 1970. A date in the past gives 0. Empty if no header can be parsed.
std::optional<std::chrono::milliseconds>
retry_after(const http_headers& headers, std::int64_t now);

/// Parses one of HTTP's three date formats to seconds since 1970.
std::optional<std::int64_t> parse_http_date(std::string_view text);

/// The value of the first header with this name (any case); "" if there is
/// none.
std::string_view find_header(const http_headers& headers,
                             std::string_view name);

} // namespace brewery

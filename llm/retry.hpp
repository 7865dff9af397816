#pragma once
/// What to do after an attempt: be content, wait and try again, or give up.
/// Pure: values in, values out.
///
/// A model call has no effect in the world but its price, so what matters is
/// whether a failed attempt may have been paid for. Attempts that were
/// certainly not (refused for their rate, connection not made, request not
/// completely sent) are repeated up to `most_retries`. Those that may have been
/// (the connection broke or timed out after the request was sent, the reply is
/// garbled) only if `retry_ambiguous`, at most `most_paid_retries` times, and
/// each is reported as spent.

#include "base/error.hpp"

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
  rate_limited = 1,    ///< 429: not processed
  overloaded = 2,      ///< 503 and the like: not processed
  server_error = 3,    ///< 500 and the like: failed there, not charged
  not_sent = 4,        ///< no connection, or it broke before all was sent
  stale = 5,           ///< a kept connection that the server had just closed
  maybe_processed = 6, ///< sent, but no reply or not all of it: may be charged
  invalid_reply = 7,   ///< a reply that cannot be read: is charged
  refused = 8,         ///< an answer that would be the same again
  cancelled = 9,
};

std::string_view to_string(attempt_outcome outcome);

/// Whether the server may charge for it although there is no usable reply.
bool may_be_charged(attempt_outcome outcome);

struct attempt_result {
  attempt_outcome outcome = attempt_outcome::answered;
  error why{ec::ok, {}}; ///< what the call fails with if this was the last
  std::optional<std::chrono::milliseconds> retry_after; ///< the server's wish
  unsigned status = 0;                                  ///< of HTTP, 0: none
};

struct retry_policy {
  std::uint32_t most_retries = 8;
  bool retry_ambiguous = true;
  std::uint32_t most_paid_retries = 2;
  std::chrono::milliseconds first_wait{500}; ///< doubled with each retry
  std::chrono::milliseconds longest_wait{60'000};
  /// A server that wants a longer pause than this will not be waited for.
  std::chrono::milliseconds longest_retry_after{600'000};
};

/// What a call has behind it, this attempt not counted.
struct retry_history {
  std::uint32_t retries = 0;      ///< `stale` ones are not
  std::uint32_t paid_retries = 0; ///< of them, those that may be charged
};

struct retry_decision {
  bool again = false;
  std::chrono::milliseconds wait{0};
  /// If not again: the error of the call, with how often it was tried.
  error final{ec::ok, {}};
};

/// `draw` in [0, 1): full jitter, so that calls refused together do not come
/// back together. The wait is the server's wish plus draw times the back-off.
retry_decision decide(const retry_policy& policy, const attempt_result& last,
                      const retry_history& before, double draw);

using http_headers = std::vector<std::pair<std::string, std::string>>;

/// From `retry-after-ms`, `x-ms-retry-after-ms` or `Retry-After` (seconds, also
/// with a fraction, or a date), in this order. `now` is seconds since 1970;
/// a date in the past is 0. Empty when there is none that can be read.
std::optional<std::chrono::milliseconds>
retry_after(const http_headers& headers, std::int64_t now);

/// One of HTTP's three date formats to seconds since 1970.
std::optional<std::int64_t> parse_http_date(std::string_view text);

/// The value of the first header of this name, in any case; "" if there is
/// none.
std::string_view find_header(const http_headers& headers,
                             std::string_view name);

} // namespace brewery

#include "llm/client/retry.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace brewery {

using std::chrono::milliseconds;

namespace {

/// min(first_wait * 2^retries, longest_wait).
milliseconds back_off(const retry_policy& policy, std::uint32_t retries) {
  auto wait = policy.first_wait;
  for (std::uint32_t i = 0; i < retries && wait < policy.longest_wait; ++i)
    wait *= 2;
  return std::min(wait, policy.longest_wait);
}

retry_decision give_up(const attempt_result& last, const retry_history& before,
                       std::string_view because) {
  auto why = last.why;
  if (before.retries > 0 || !because.empty())
    why.message += fmt::format(" (attempt {}{}{})", before.retries + 1,
                               because.empty() ? "" : "; ", because);
  return {false, milliseconds{0}, std::move(why), std::string{because}};
}

} // namespace

std::string_view to_string(attempt_outcome outcome) {
  switch (outcome) {
  case attempt_outcome::answered:
    return "answered";
  case attempt_outcome::rate_limited:
    return "rate_limited";
  case attempt_outcome::overloaded:
    return "overloaded";
  case attempt_outcome::server_error:
    return "server_error";
  case attempt_outcome::not_sent:
    return "not_sent";
  case attempt_outcome::stale:
    return "stale";
  case attempt_outcome::maybe_processed:
    return "maybe_processed";
  case attempt_outcome::invalid_reply:
    return "invalid_reply";
  case attempt_outcome::refused:
    return "refused";
  case attempt_outcome::cancelled:
    return "cancelled";
  case attempt_outcome::stream_refused:
    return "stream_refused";
  }
  return "unknown";
}

bool may_be_charged(attempt_outcome outcome) {
  return outcome == attempt_outcome::maybe_processed
         || outcome == attempt_outcome::invalid_reply;
}

retry_decision decide(const retry_policy& policy, const attempt_result& last,
                      const retry_history& before, double draw) {
  switch (last.outcome) {
  case attempt_outcome::answered:
    return {};
  case attempt_outcome::refused:
  case attempt_outcome::cancelled:
    return give_up(last, before, "");
  case attempt_outcome::stale:
  case attempt_outcome::stream_refused:
    // Retry at once, on a new connection or without streaming; it costs
    // nothing.
    return {true, milliseconds{0}, {ec::ok, {}}};
  case attempt_outcome::maybe_processed:
  case attempt_outcome::invalid_reply:
    if (!policy.retry_ambiguous)
      return give_up(last, before,
                     "not repeated: it may have been charged, and retry_paid "
                     "is false");
    if (before.paid_retries >= policy.most_paid_retries)
      return give_up(last, before,
                     fmt::format("given up: {} more may have been charged "
                                 "before it",
                                 before.paid_retries));
    break;
  default:
    break;
  }
  if (before.retries >= policy.most_retries) {
    auto out = give_up(last, before, "given up: no retries are left");
    out.because.clear(); // the number of attempts says it
    return out;
  }
  const auto wish = last.retry_after.value_or(milliseconds{0});
  if (wish > policy.longest_retry_after)
    return give_up(last, before,
                   fmt::format("given up: the server asks for a pause of {} s, "
                               "and {} s are waited at most",
                               wish.count() / 1000,
                               policy.longest_retry_after.count() / 1000));
  const auto jitter =
      draw * static_cast<double>(back_off(policy, before.retries).count());
  return {true, wish + milliseconds{std::llround(jitter)}, {ec::ok, {}}};
}

call_fault fault_of(const attempt_result& last, bool serves_others) {
  switch (last.outcome) {
  case attempt_outcome::answered:
  case attempt_outcome::stale:
  case attempt_outcome::cancelled:
  case attempt_outcome::stream_refused:
    return call_fault::call;
  case attempt_outcome::overloaded:
  case attempt_outcome::not_sent:
    return call_fault::server;
  case attempt_outcome::rate_limited: // others are served in a rush, too
    return call_fault::unclear;
  case attempt_outcome::server_error:
  case attempt_outcome::maybe_processed:
  case attempt_outcome::invalid_reply:
    return serves_others ? call_fault::call : call_fault::unclear;
  case attempt_outcome::refused:
    break;
  }
  switch (last.why.code) {
  case ec::unauthorized:
  case ec::not_found: // the model, or the address
  case ec::io:        // a certificate or a proxy
  case ec::invalid_config:
    return call_fault::server;
  default:
    return call_fault::call;
  }
}

std::string_view find_header(const http_headers& headers,
                             std::string_view name) {
  for (const auto& [there, value] : headers)
    if (there.size() == name.size() && lower(there) == lower(name))
      return value;
  return {};
}

} // namespace brewery

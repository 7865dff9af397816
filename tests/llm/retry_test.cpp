#include "base/rng.hpp"
#include "llm/client/retry.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using std::chrono::milliseconds;
using enum attempt_outcome;

namespace {

attempt_result failed(attempt_outcome outcome, int retry_after_ms = -1) {
  attempt_result out{outcome, {ec::io, "it broke"}, {}, 0};
  if (retry_after_ms >= 0) out.retry_after = milliseconds{retry_after_ms};
  return out;
}

constexpr attempt_outcome all[] = {
    answered, rate_limited,    overloaded,    server_error, not_sent,
    stale,    maybe_processed, invalid_reply, refused,      cancelled};

// 1994-11-06 08:49:37 UTC, the date of the RFC's examples.
constexpr std::int64_t example_date = 784'111'777;

} // namespace

TEST_CASE("each outcome is retried, or not") {
  struct row {
    attempt_outcome outcome;
    bool again;
    bool again_if_ambiguous_is_off;
  };
  for (const auto& [outcome, again, strict] : {row{answered, false, false},
                                               {rate_limited, true, true},
                                               {overloaded, true, true},
                                               {server_error, true, true},
                                               {not_sent, true, true},
                                               {stale, true, true},
                                               {maybe_processed, true, false},
                                               {invalid_reply, true, false},
                                               {refused, false, false},
                                               {cancelled, false, false}}) {
    INFO(to_string(outcome));
    retry_policy policy;
    CHECK(decide(policy, failed(outcome), {}, 0.5).again == again);
    policy.retry_ambiguous = false;
    CHECK(decide(policy, failed(outcome), {}, 0.5).again == strict);
  }
}

TEST_CASE("a final failure speaks against the call or against its server") {
  struct row {
    attempt_outcome outcome;
    ec code;
    call_fault alone, among_answers;
  };
  constexpr auto call = call_fault::call, unclear = call_fault::unclear,
                 server = call_fault::server;
  for (const auto& [outcome, code, alone, among_answers] :
       {row{rate_limited, ec::rate_limited, unclear, unclear},
        row{overloaded, ec::rate_limited, server, server},
        row{not_sent, ec::io, server, server},
        row{not_sent, ec::timeout, server, server},
        row{server_error, ec::io, unclear, call},
        row{maybe_processed, ec::timeout, unclear, call},
        row{invalid_reply, ec::malformed, unclear, call},
        row{refused, ec::unauthorized, server, server},
        row{refused, ec::not_found, server, server},
        row{refused, ec::io, server, server},
        row{refused, ec::invalid_config, server, server},
        row{refused, ec::context_too_long, call, call},
        row{refused, ec::refused_content, call, call},
        row{refused, ec::invalid_argument, call, call},
        row{cancelled, ec::cancelled, call, call}}) {
    INFO(to_string(outcome) << " " << to_string(code));
    const attempt_result last{outcome, {code, "it broke"}, {}, 0};
    CHECK(fault_of(last, false) == alone);
    CHECK(fault_of(last, true) == among_answers);
  }
}

TEST_CASE("retries end, each kind at its own number") {
  const retry_policy policy;
  for (const auto outcome : all) {
    INFO(to_string(outcome));
    std::uint32_t attempts = 1;
    retry_history history;
    for (;;) {
      const auto next = decide(policy, failed(outcome), history, 0.5);
      if (!next.again || outcome == stale) break;
      ++attempts;
      ++history.retries;
      history.paid_retries += may_be_charged(outcome);
      REQUIRE(attempts < 100);
    }
    const bool final =
        outcome == answered || outcome == refused || outcome == cancelled;
    CHECK(attempts
          == (final || outcome == stale ? 1
              : may_be_charged(outcome) ? 1 + policy.most_paid_retries
                                        : 1 + policy.most_retries));
  }
}

TEST_CASE("paid retries and others are counted apart, but share the sum") {
  retry_policy policy;
  policy.most_retries = 5;
  // Limits before do not use up what may be charged.
  CHECK(decide(policy, failed(maybe_processed), {4, 0}, 0).again);
  CHECK_FALSE(decide(policy, failed(maybe_processed), {4, 2}, 0).again);
  CHECK_FALSE(decide(policy, failed(maybe_processed), {5, 0}, 0).again);
  CHECK(decide(policy, failed(rate_limited), {4, 2}, 0).again);
  CHECK_FALSE(decide(policy, failed(rate_limited), {5, 0}, 0).again);
}

TEST_CASE("the wait is a share of a doubling back-off, with full jitter") {
  retry_policy policy;
  policy.first_wait = milliseconds{100};
  policy.longest_wait = milliseconds{1000};
  const std::uint32_t ends[] = {100, 200, 400, 800, 1000, 1000, 1000};
  for (std::uint32_t retries = 0; retries < 7; ++retries) {
    INFO("retries " << retries);
    const auto wait = [&](double draw) {
      return decide(policy, failed(server_error), {retries, 0}, draw)
          .wait.count();
    };
    CHECK(wait(0) == 0);
    CHECK(wait(0.5) == ends[retries] / 2);
    CHECK(wait(0.999999) == ends[retries]);
  }
  // Does not overflow, however often.
  policy.most_retries = 4'000'000'000u;
  CHECK(decide(policy, failed(server_error), {3'999'999'999u, 0}, 1).wait
        == policy.longest_wait);
}

TEST_CASE("the server's wish is waited for in full, and then the jitter") {
  const retry_policy policy;
  const auto seed = GENERATE(range(1, 20));
  INFO("seed " << seed);
  rng draw{rng_key(static_cast<std::uint64_t>(seed), "retry")};
  const auto wish = static_cast<int>(draw.below(600'000));
  const auto next =
      decide(policy, failed(rate_limited, wish), {0, 0}, draw.uniform());
  CHECK(next.again);
  CHECK(next.wait >= milliseconds{wish});
  CHECK(next.wait <= milliseconds{wish} + policy.first_wait);
}

TEST_CASE("a stale connection is replaced at once, whatever the policy") {
  retry_policy policy;
  policy.most_retries = 0;
  policy.retry_ambiguous = false;
  const auto next = decide(policy, failed(stale), {0, 0}, 0.9);
  CHECK(next.again);
  CHECK(next.wait.count() == 0);
}

TEST_CASE("giving up says how often it was tried and why no more") {
  retry_policy policy;
  CHECK(decide(policy, failed(refused), {0, 0}, 0).final.message == "it broke");
  CHECK(decide(policy, failed(refused), {2, 0}, 0).final.message
        == "it broke (attempt 3)");
  CHECK(decide(policy, failed(not_sent), {8, 0}, 0).final.message
        == "it broke (attempt 9; given up: no retries are left)");
  CHECK(decide(policy, failed(rate_limited, 3'600'000), {1, 0}, 0).final.message
        == "it broke (attempt 2; given up: the server asks for a pause of 3600 "
           "s, and 600 s are waited at most)");
  CHECK(decide(policy, failed(maybe_processed), {2, 2}, 0).final.message
        == "it broke (attempt 3; given up: 2 more may have been charged before "
           "it)");
  CHECK(decide(policy, failed(not_sent), {8, 0}, 0).final.code == ec::io);
}

// -- Retry-After
// ----------------------------------------------------------------

TEST_CASE("Retry-After is read in all its forms") {
  const auto now = example_date - 30;
  struct row {
    http_headers headers;
    long expected; ///< ms; -1: none
  };
  for (const auto& [headers, expected] : std::vector<row>{
           {{}, -1},
           {{{"Retry-After", "7"}}, 7000},
           {{{"retry-after", " 0 "}}, 0},
           {{{"RETRY-AFTER", "1.5"}}, 1500},
           {{{"retry-after-ms", "250"}, {"retry-after", "1"}}, 250},
           {{{"x-ms-retry-after-ms", "40"}}, 40},
           {{{"retry-after-ms", "soon"}, {"retry-after", "2"}}, 2000},
           {{{"retry-after", "Sun, 06 Nov 1994 08:49:37 GMT"}}, 30'000},
           {{{"retry-after", "Sunday, 06-Nov-94 08:49:37 GMT"}}, 30'000},
           {{{"retry-after", "Sun Nov  6 08:49:37 1994"}}, 30'000},
           {{{"retry-after", "Sun, 06 Nov 1994 08:49:00 GMT"}}, 0},
           {{{"retry-after", "-5"}}, -1},
           {{{"retry-after", "nan"}}, -1},
           {{{"retry-after", "inf"}}, -1},
           {{{"retry-after", ""}}, -1},
           {{{"retry-after", "5 s"}}, -1},
           {{{"retry-after", "Sun, 32 Nov 1994 08:49:37 GMT"}}, -1},
           {{{"retry-after", "Sun, 06 Foo 1994 08:49:37 GMT"}}, -1},
           {{{"retry-after", "Sun, 06 Nov 1994 25:49:37 GMT"}}, -1},
           {{{"retry-after", "1e300"}}, 366L * 86'400'000},
       }) {
    INFO((headers.empty() ? "" : headers.front().second));
    const auto got = retry_after(headers, now);
    CHECK((got ? got->count() : -1) == expected);
  }
}

TEST_CASE("dates are those of the calendar") {
  CHECK(parse_http_date("Thu, 01 Jan 1970 00:00:00 GMT") == 0);
  CHECK(parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT") == example_date);
  CHECK(parse_http_date("Thu, 29 Feb 2024 12:00:00 GMT") == 1'709'208'000);
  CHECK(parse_http_date("Sat, 21 Nov 2026 00:00:00 GMT") == 1'795'219'200);
  CHECK(parse_http_date("Friday, 31-Dec-69 23:59:59 GMT")
        == parse_http_date("Tue, 31 Dec 2069 23:59:59 GMT"));
}

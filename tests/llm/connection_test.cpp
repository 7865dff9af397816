/// What a connection may do wrong: silence, drips, and ends between or under
/// requests.

#include "tests/llm/support.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <map>

using namespace brewery;
using std::chrono::milliseconds;

TEST_CASE("each timeout ends an attempt by its own name") {
  using enum attempt_outcome;
  peer_reply never;
  never.stop_after = 0;
  never.ending = peer_ending::silence;
  auto stalls = good_reply();
  stalls.ending = peer_ending::silence;
  stalls.stop_after = 100;
  auto drips = good_reply();
  drips.drip_bytes = 1;
  drips.drip_pause = milliseconds{20};
  struct late {
    std::string says;
    peer_reply reply;
    std::chrono::milliseconds http_timeouts::*which;
    attempt_outcome outcome;
  };
  for (const auto& [says, reply, which, outcome] :
       std::vector<late>{{"no reply began within 150 ms", never,
                          &http_timeouts::first_byte, maybe_processed},
                         {"nothing more of the reply came within 150 ms",
                          stalls, &http_timeouts::idle, maybe_processed},
                         {"no complete reply within 1000 ms", drips,
                          &http_timeouts::total, maybe_processed}}) {
    INFO(says);
    http_peer peer{[bad = reply](const peer_request&) { return bad; }};
    auto options = provider_at(peer.url());
    const bool whole = which == &http_timeouts::total; // with the asking
    options.timeouts.*which = milliseconds{whole ? 1000 : 150};
    options.retry.most_paid_retries = 0;
    const auto before = std::chrono::steady_clock::now();
    const auto got = ask(*client_of(options));
    const auto took = std::chrono::steady_clock::now() - before;
    REQUIRE_FALSE(got.answer);
    CHECK(got.answer.error().code == ec::timeout);
    CHECK(got.answer.error().message.find(says) != std::string::npos);
    CHECK(got.outcomes == std::vector{outcome});
    CHECK(took >= milliseconds{140});
  }
}

TEST_CASE("a drip that keeps within its timeouts is read to its end") {
  auto drips = good_reply();
  drips.drip_bytes = 40;
  drips.drip_pause = milliseconds{15};
  http_peer peer{[drips](const peer_request&) { return drips; }};
  auto options = provider_at(peer.url());
  options.timeouts.idle = milliseconds{20'000};
  options.timeouts.first_byte = milliseconds{20'000};
  const auto got = ask(*client_of(options));
  REQUIRE(got.answer);
  CHECK(got.report.attempts == 1);
}

TEST_CASE("a server that accepts and then does nothing is a connect timeout "
          "with TLS, and nothing was sent") {
  http_peer peer{[](const peer_request&) { return good_reply(); },
                 {{}, true, false}};
  auto options =
      provider_at("https://localhost:" + std::to_string(peer.port()));
  options.timeouts.connect = milliseconds{100};
  options.retry.most_retries = 1;
  const auto got = ask(*client_of(options));
  REQUIRE_FALSE(got.answer);
  CHECK(got.answer.error().code == ec::timeout);
  CHECK(got.answer.error().message.find("no connection within 100 ms")
        != std::string::npos);
  CHECK(got.outcomes == std::vector(2, attempt_outcome::not_sent));
  CHECK(got.report.maybe_charged == 0);
}

TEST_CASE("a server that takes nothing of a large request is a send timeout") {
  http_peer peer{[](const peer_request&) { return good_reply(); },
                 {{}, true, false}};
  auto options = provider_at(peer.url());
  options.timeouts.idle = milliseconds{100};
  options.retry.most_retries = 0;
  const auto got = ask(*client_of(options),
                       chat_call(std::string(std::size_t{20} << 20, 'x')));
  REQUIRE_FALSE(got.answer);
  CHECK(got.answer.error().code == ec::timeout);
  CHECK(got.answer.error().message.find("took nothing of the request")
        != std::string::npos);
  CHECK(got.report.maybe_charged == 0);
}

// -- connections
// ---------------------------------------------------------------

TEST_CASE("nobody listening is retried, and then said") {
  std::uint16_t port = 0;
  {
    http_peer peer{[](const peer_request&) { return good_reply(); }};
    port = peer.port();
  }
  auto options = provider_at("http://127.0.0.1:" + std::to_string(port));
  options.retry.most_retries = 2;
  const auto got = ask(*client_of(options));
  REQUIRE_FALSE(got.answer);
  CHECK(got.answer.error().code == ec::io);
  CHECK(got.answer.error().message.find("Connection refused")
        != std::string::npos);
  CHECK(got.answer.error().message.find("(attempt 3; given up")
        != std::string::npos);
  CHECK(got.outcomes == std::vector(3, attempt_outcome::not_sent));
}

TEST_CASE("connections that the server closed between calls cost nothing") {
  http_peer peer{[](const peer_request&) { return good_reply(); }};
  const auto client = client_of(provider_at(peer.url()));
  for (int i = 0; i < 10; ++i) {
    const auto got = ask(*client);
    REQUIRE(got.answer);
    CHECK(got.report.maybe_charged == 0);
    peer.close_kept();
  }
  CHECK(peer.requests().size() == 10);
}

TEST_CASE("a kept connection that ends under a request is replaced at once, "
          "and is no retry") {
  // The second request on each connection is met with an end: what a server
  // does that closes while the request is on its way.
  const auto ending = GENERATE(peer_ending::close, peer_ending::reset);
  std::mutex mutex;
  std::map<std::size_t, int> served;
  http_peer peer{[&](const peer_request& request) {
    const std::lock_guard lock{mutex};
    if (++served[request.connection] == 1) return good_reply();
    peer_reply out;
    out.stop_after = 0;
    out.ending = ending;
    return out;
  }};
  auto options = provider_at(peer.url());
  options.retry.most_retries = 0;
  options.retry.retry_ambiguous = false;
  const auto client = client_of(options);
  REQUIRE(ask(*client).answer);
  const auto second = ask(*client);
  REQUIRE(second.answer);
  CHECK(second.outcomes
        == std::vector{attempt_outcome::stale, attempt_outcome::answered});
  CHECK(second.report.maybe_charged == 0);
}

TEST_CASE("what may be charged is tried again only by who pays again") {
  peer_reply cut = good_reply();
  cut.stop_after = 20;
  cut.ending = peer_ending::close;
  http_peer peer{[&](const peer_request&) { return cut; }};
  auto options = provider_at(peer.url());
  options.retry.most_paid_retries = 5;
  int left = 2;
  call_report report;
  const auto got = ask_and_wait(*client_of(options),
                                {"local", "s", {}, [&] { return left-- > 0; }},
                                chat_call(), nullptr, report);
  REQUIRE_FALSE(got);
  CHECK(report.unpaid);
  CHECK(report.attempts == 3);
  CHECK(report.maybe_charged == 3);
  CHECK(peer.requests().size() == 3);
}

TEST_CASE("a kept connection that ends long after the request may be charged") {
  std::atomic<int> served{0};
  http_peer peer{[&](const peer_request&) {
    if (++served == 1) return good_reply();
    peer_reply out;
    out.delay = milliseconds{1200};
    out.stop_after = 0;
    out.ending = peer_ending::close;
    return out;
  }};
  auto options = provider_at(peer.url());
  options.retry.retry_ambiguous = false;
  const auto client = client_of(options);
  REQUIRE(ask(*client).answer);
  const auto second = ask(*client);
  REQUIRE_FALSE(second.answer);
  CHECK(second.outcomes == std::vector{attempt_outcome::maybe_processed});
  CHECK(second.report.maybe_charged == 1);
  CHECK(peer.requests().size() == 2);
}

TEST_CASE("after silence on a kept connection the next attempt opens one") {
  // Each connection answers once and is silent then, as behind a proxy that has
  // forgotten it. Others that are kept are as dead, and each costs a timeout.
  constexpr std::size_t kept = 4;
  std::map<std::size_t, int> served; // on the server's thread only
  http_peer peer{[&](const peer_request& request) {
    auto out = good_reply();
    if (++served[request.connection] == 1) {
      // Until the others have connected: fewer kept ones only test less.
      if (served.size() <= kept) out.delay = milliseconds{500};
      return out;
    }
    out.stop_after = 0;
    out.ending = peer_ending::silence;
    return out;
  }};
  auto options = provider_at(peer.url());
  options.timeouts.first_byte = milliseconds{5000};
  const auto client = client_of(options);
  countdown answers{kept};
  for (std::size_t i = 0; i < kept; ++i)
    client->ask({"local", "search", {}}, chat_call(),
                [&](const result<model_answer>&, const call_report&) {
                  answers.arrive();
                });
  REQUIRE(answers.wait());
  const auto got = ask(*client);
  CHECK(got.answer);
  CHECK(std::count(got.outcomes.begin(), got.outcomes.end(),
                   attempt_outcome::maybe_processed)
        <= 1);
}

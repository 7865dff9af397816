/// Replies that end or are complete sooner than expected: what is charged.

#include "tests/fixtures/scratch.hpp"
#include "tests/llm/support.hpp"

#include <catch2/catch.hpp>

#include <atomic>

using namespace brewery;

TEST_CASE("a reply that has begun on a kept connection may be charged, however "
          "little of it came") {
  const auto bytes = GENERATE(1u, 12u, 60u);
  INFO(bytes << " bytes");
  std::atomic<int> served{0};
  http_peer peer{[&](const peer_request&) {
    auto out = good_reply();
    if (++served == 1) return out;
    out.stop_after = bytes;
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

TEST_CASE("a complete reply is taken although the server does not read the "
          "rest of the request") {
  auto reply = good_reply();
  reply.ending = peer_ending::silence;
  http_peer peer{[reply](const peer_request&) { return reply; },
                 {{}, false, true}};
  const auto got = ask(*client_of(provider_at(peer.url())),
                       chat_call(std::string(std::size_t{20} << 20, 'x')));
  REQUIRE(got.answer);
  CHECK(got.report.attempts == 1);
  CHECK(got.report.maybe_charged == 0);
}

TEST_CASE("under TLS a reply without a length is cut off unless it ends with "
          "TLS's goodbye") {
  const certificate_authority authority;
  peer_reply reply;
  reply.raw = "HTTP/1.1 200 OK\r\n\r\n" + good_reply().body;
  reply.ending = peer_ending::close;
  http_peer peer{[reply](const peer_request&) { return reply; },
                 {authority.issue({"localhost"}), false, false}};
  scratch folder;
  auto options = provider_at(peer.url());
  options.ca_file = authority.write(folder.path());
  options.retry.retry_ambiguous = false;
  const auto got = ask(*client_of(options));
  REQUIRE_FALSE(got.answer);
  CHECK(got.outcomes == std::vector{attempt_outcome::maybe_processed});
}

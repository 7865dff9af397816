/// What a server may do wrong, one after the other: how it is understood, and
/// whether the call is sent again.

#include "tests/llm/support.hpp"

#include <catch2/catch.hpp>

#include <atomic>

using namespace brewery;
using std::chrono::milliseconds;

namespace {

peer_reply cut(peer_ending ending, std::size_t after) {
  auto out = good_reply();
  out.ending = ending;
  out.stop_after = after;
  return out;
}

peer_reply with_body(std::string body, unsigned status = 200) {
  peer_reply out;
  out.status = status;
  out.body = std::move(body);
  return out;
}

struct fault {
  std::string name;
  peer_reply reply;
  attempt_outcome outcome;
  ec code; ///< if it does not get better
};

std::vector<fault> faults() {
  using enum attempt_outcome;
  const auto good = good_reply().body;
  auto longer = good_reply();
  longer.claimed_length = longer.body.size() + 100;
  longer.ending = peer_ending::close;
  auto shorter = good_reply();
  shorter.claimed_length = shorter.body.size() - 10;
  auto lying = good_reply();
  lying.claimed_length = std::size_t{1} << 40;
  auto broken_text = good_reply();
  broken_text.body.replace(broken_text.body.find("hi"), 2, "\xff\xfe");
  peer_reply no_http;
  no_http.raw = "SSH-2.0-OpenSSH_9.2\r\n";
  no_http.ending = peer_ending::close;
  peer_reply giant_header;
  giant_header.raw =
      "HTTP/1.1 200 OK\r\nX: " + std::string(100'000, 'x') + "\r\n\r\n";
  peer_reply bad_chunks;
  bad_chunks.raw = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                   "zz\r\nhello\r\n";
  peer_reply gone;
  gone.stop_after = 0;
  gone.ending = peer_ending::close;
  peer_reply reset = gone;
  reset.ending = peer_ending::reset;
  peer_reply half = gone;
  half.ending = peer_ending::half_close;
  return {
      {"500", with_body("{}", 500), server_error, ec::io},
      {"503", with_body("{}", 503), overloaded, ec::rate_limited},
      {"502", with_body("<html>bad gateway", 502), maybe_processed, ec::io},
      {"504", with_body("", 504), maybe_processed, ec::io},
      {"429", with_body("{}", 429), rate_limited, ec::rate_limited},
      {"closed before the reply", gone, maybe_processed, ec::io},
      {"reset before the reply", reset, maybe_processed, ec::io},
      {"half-closed before the reply", half, maybe_processed, ec::io},
      {"closed in the head", cut(peer_ending::close, 20), maybe_processed,
       ec::io},
      {"closed in the body", cut(peer_ending::close, 150), maybe_processed,
       ec::io},
      {"reset in the body", cut(peer_ending::reset, 150), maybe_processed,
       ec::io},
      {"half-closed in the body", cut(peer_ending::half_close, 150),
       maybe_processed, ec::io},
      {"length too long", longer, maybe_processed, ec::io},
      {"length too short", shorter, invalid_reply, ec::malformed},
      {"a length of a terabyte", lying, invalid_reply, ec::malformed},
      {"JSON cut off", with_body(good.substr(0, good.size() / 2)),
       invalid_reply, ec::malformed},
      {"empty body", with_body(""), invalid_reply, ec::malformed},
      {"invalid UTF-8", broken_text, invalid_reply, ec::malformed},
      {"no choices", with_body("{\"choices\":[]}"), invalid_reply,
       ec::malformed},
      {"too deep", with_body(std::string(100'000, '[')), invalid_reply,
       ec::malformed},
      {"giant body", with_body(std::string(3'000'000, ' ')), invalid_reply,
       ec::malformed},
      {"no HTTP", no_http, invalid_reply, ec::malformed},
      {"giant header", giant_header, invalid_reply, ec::malformed},
      {"broken chunks", bad_chunks, invalid_reply, ec::malformed},
      {"an error inside 200",
       with_body("{\"error\":{\"message\":\"upstream failed\",\"code\":503}}"),
       overloaded, ec::rate_limited},
  };
}

provider impatient(const std::string& url) {
  auto out = provider_at(url);
  out.reply_bytes_most = 1'000'000;
  return out;
}

} // namespace

TEST_CASE("after a fault the call is sent again, and nothing is lost") {
  for (const auto& [name, reply, outcome, code] : faults()) {
    INFO(name);
    std::atomic<int> served{0};
    http_peer peer{[&, bad = reply](const peer_request&) {
      return ++served == 1 ? bad : good_reply();
    }};
    const auto got = ask(*client_of(impatient(peer.url())));
    INFO((got.answer ? "" : got.answer.error().message));
    REQUIRE(got.answer);
    CHECK(std::get<chat_reply>(got.answer->reply).content == "hi");
    CHECK(got.outcomes == std::vector{outcome, attempt_outcome::answered});
    CHECK(got.report.attempts == 2);
    CHECK(got.report.maybe_charged == (may_be_charged(outcome) ? 1 : 0));
    CHECK(peer.requests().size() == 2);
  }
}

TEST_CASE("a fault that stays ends the call with its kind, in one line") {
  for (const auto& [name, reply, outcome, code] : faults()) {
    INFO(name);
    http_peer peer{[bad = reply](const peer_request&) { return bad; }};
    auto options = impatient(peer.url());
    options.retry.most_retries = 3;
    const auto got = ask(*client_of(options));
    REQUIRE_FALSE(got.answer);
    const auto& why = got.answer.error();
    INFO(why.message);
    CHECK(why.code == code);
    CHECK(why.message.starts_with("model server 'local': "));
    CHECK(why.message.find('\n') == std::string::npos);
    const bool paid = may_be_charged(outcome);
    CHECK(got.report.attempts == (paid ? 3u : 4u)); // most_paid_retries is 2
    CHECK(got.report.maybe_charged == (paid ? 3u : 0u));
    CHECK(peer.requests().size() == got.report.attempts);
  }
}

TEST_CASE("with retry_paid = false, what may be charged is sent once") {
  for (const auto& [name, reply, outcome, code] : faults()) {
    if (!may_be_charged(outcome)) continue;
    INFO(name);
    http_peer peer{[bad = reply](const peer_request&) { return bad; }};
    auto options = impatient(peer.url());
    options.retry.retry_ambiguous = false;
    const auto got = ask(*client_of(options));
    REQUIRE_FALSE(got.answer);
    CHECK(got.answer.error().message.find("retry_paid is false")
          != std::string::npos);
    CHECK(peer.requests().size() == 1);
    CHECK(got.report.maybe_charged == 1);
  }
}

TEST_CASE("what would be refused again is not sent again") {
  struct refusal {
    unsigned status;
    std::string body;
    ec code;
  };
  const std::vector<refusal> refusals{
      {400, "{\"error\":{\"message\":\"bad\"}}", ec::invalid_argument},
      {401, "{\"error\":{\"message\":\"no\"}}", ec::unauthorized},
      {403, "", ec::unauthorized},
      {404, "{\"error\":\"model 'm' not found\"}", ec::not_found},
      {301, "", ec::invalid_config},
      {400, "{\"error\":{\"code\":\"context_length_exceeded\"}}",
       ec::context_too_long},
      {400, "{\"error\":{\"code\":\"content_filter\"}}", ec::refused_content},
      {429, "{\"error\":{\"code\":\"insufficient_quota\"}}", ec::unauthorized},
  };
  for (const auto& [status, body, code] : refusals) {
    INFO(status << " " << body);
    http_peer peer{[status = status, body = body](const peer_request&) {
      return with_body(body, status);
    }};
    const auto got = ask(*client_of(provider_at(peer.url())));
    REQUIRE_FALSE(got.answer);
    CHECK(got.answer.error().code == code);
    CHECK(got.report.attempts == 1);
    CHECK(got.report.maybe_charged == 0);
  }
}

TEST_CASE("a reply that the filter stopped is final, and may be charged") {
  http_peer peer{[](const peer_request&) {
    return with_body("{\"choices\":[{\"message\":{\"content\":\"\"},"
                     "\"finish_reason\":\"content_filter\"}]}");
  }};
  const auto got = ask(*client_of(provider_at(peer.url())));
  REQUIRE_FALSE(got.answer);
  CHECK(got.answer.error().code == ec::refused_content);
  CHECK(got.report.attempts == 1);
  CHECK(got.report.maybe_charged == 1);
}

TEST_CASE("a refusal that its server counted is charged as it counted") {
  for (const auto* choice :
       {R"({"message":{"content":""},"finish_reason":"content_filter"})",
        R"({"message":{"content":null,"refusal":"No."},)"
        R"("finish_reason":"stop"})"}) {
    INFO(choice);
    http_peer peer{[choice](const peer_request&) {
      return with_body(std::string{R"({"choices":[)"} + choice
                       + R"(],"usage":{"prompt_tokens":90,)"
                         R"("completion_tokens":7}})");
    }};
    const auto got = ask(*client_of(provider_at(peer.url())));
    REQUIRE_FALSE(got.answer);
    CHECK(got.answer.error().code == ec::refused_content);
    CHECK(got.report.maybe_charged == 0);
    CHECK(got.report.refused == token_usage{90, 0, 7, 0});
  }
}

TEST_CASE("a reply that cannot be read is charged as its server counted") {
  const auto counted =
      with_body(R"({"choices":[],"usage":{)"
                R"("prompt_tokens":90,"completion_tokens":7}})");
  http_peer peer{[&](const peer_request&) { return counted; }};
  const auto got = ask(*client_of(provider_at(peer.url())));
  REQUIRE_FALSE(got.answer);
  CHECK(got.answer.error().code == ec::malformed);
  CHECK(got.report.attempts == 3); // most_paid_retries is 2
  CHECK(got.report.maybe_charged == 0);
  CHECK(got.report.refused == token_usage{270, 0, 21, 0});
}

TEST_CASE("an answer after a reply that was counted leaves that one reserved") {
  std::atomic<int> served{0};
  http_peer peer{[&](const peer_request&) {
    return ++served > 1 ? good_reply()
                        : with_body(R"({"choices":[],"usage":{)"
                                    R"("prompt_tokens":90}})");
  }};
  const auto got = ask(*client_of(provider_at(peer.url())));
  REQUIRE(got.answer);
  CHECK(got.report.maybe_charged == 1);
  CHECK(got.report.refused == token_usage{});
}

TEST_CASE("a web page is no reply: the address is wrong, and nothing is paid") {
  auto typed = with_body("Welcome to the gateway");
  typed.headers = {{"Content-Type", "text/html; charset=utf-8"}};
  for (const auto& page : {with_body("<!DOCTYPE html><html></html>"),
                           with_body("\n <p>hello"), typed}) {
    INFO(page.body);
    http_peer peer{[&](const peer_request&) { return page; }};
    const auto client = client_of(provider_at(peer.url()));
    for (const auto& call : {chat_call(), embedding_call({"a"})}) {
      const auto got = ask(*client, call);
      REQUIRE_FALSE(got.answer);
      CHECK(got.answer.error().code == ec::not_found);
      CHECK(got.answer.error().message
            == "model server 'local': it sent a web page; check base_url (it "
               "ends in /v1 for most servers)");
      CHECK(got.report.attempts == 1);
      CHECK(got.report.maybe_charged == 0);
      CHECK(got.report.fault == call_fault::server);
    }
  }
}

TEST_CASE("JSON that is sent as text/html is JSON") {
  auto reply = good_reply();
  reply.headers = {{"Content-Type", "text/html"}};
  http_peer peer{[&](const peer_request&) { return reply; }};
  CHECK(ask(*client_of(provider_at(peer.url()))).answer);
}

// -- time ---------------------------------------------------------------------

TEST_CASE("a refusal that comes before the request was read is understood") {
  auto refusal = with_body("{\"error\":{\"message\":\"too large\"}}", 413);
  refusal.ending = peer_ending::half_close;
  http_peer peer{[refusal](const peer_request&) { return refusal; },
                 {{}, false, true}};
  auto options = provider_at(peer.url());
  options.timeouts.idle = milliseconds{5000};
  const auto got = ask(*client_of(options),
                       chat_call(std::string(std::size_t{20} << 20, 'x')));
  REQUIRE_FALSE(got.answer);
  CHECK(got.answer.error().code == ec::context_too_long);
  CHECK(got.report.attempts == 1);
}

TEST_CASE(
    "replies without a length, in chunks, or after 100 Continue are read") {
  const auto body = good_reply().body;
  const auto size = std::to_string(body.size());
  char hex[16];
  std::snprintf(hex, sizeof hex, "%zx", body.size());
  for (const auto& raw : std::vector<std::string>{
           "HTTP/1.1 200 OK\r\n\r\n" + body,
           "HTTP/1.0 200 OK\r\nContent-Length: " + size + "\r\n\r\n" + body,
           std::string{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"}
               + hex + "\r\n" + body + "\r\n0\r\n\r\n",
           "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: "
               + size + "\r\n\r\n" + body}) {
    INFO(raw.substr(0, 70));
    peer_reply reply;
    reply.raw = raw;
    reply.ending = peer_ending::close;
    http_peer peer{[reply](const peer_request&) { return reply; }};
    const auto got = ask(*client_of(provider_at(peer.url())));
    REQUIRE(got.answer);
    CHECK(std::get<chat_reply>(got.answer->reply).content == "hi");
    CHECK(got.report.attempts == 1);
  }
}

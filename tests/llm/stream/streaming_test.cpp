/// Streams over HTTP: deadlines, what is cut off, and servers that do not
/// stream.

#include "llm/client/streaming.hpp"
#include "tests/llm/support.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <atomic>

using namespace brewery;
using std::chrono::milliseconds;

namespace {

using trial_mode = stream_mode;
using trial_verdict = stream_verdict;

chat_reply reply_saying(const std::string& text) {
  chat_reply out;
  out.content = text;
  out.usage = {10, 4, 2, 0};
  return out;
}

peer_reply stream_of(std::string body) {
  peer_reply out;
  out.headers = {{"Content-Type", "text/event-stream; charset=utf-8"}};
  out.body = std::move(body);
  return out;
}

peer_reply good_stream(const std::string& text = "hi", bool usage = true) {
  return stream_of(stream_body(reply_saying(text), 5, usage));
}

bool streams(const peer_request& request) {
  return request.body.starts_with("{\"stream\":true,");
}

/// A server that counts how it is asked.
struct counting_peer {
  explicit counting_peer(peer_handler handler)
      : peer{[this, handler = std::move(handler)](const peer_request& request) {
          streamed += streams(request);
          return handler(request);
        }} {}

  std::atomic<int> streamed{0};
  http_peer peer;
};

/// An answer that streams where it was asked to.
peer_reply either(const peer_request& request) {
  return streams(request) ? good_stream() : good_reply();
}

std::string content_of(const asked& got) {
  if (!got.answer) FAIL(got.answer.error().message);
  return std::get<chat_reply>(got.answer->reply).content;
}

peer_reply chunked(const std::string& body, bool complete) {
  peer_reply out;
  out.raw = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
            "Transfer-Encoding: chunked\r\n\r\n";
  for (std::size_t at = 0; at < body.size(); at += 40) {
    const auto part = body.substr(at, 40);
    *out.raw += fmt::format("{:x}\r\n{}\r\n", part.size(), part);
  }
  if (complete) *out.raw += "0\r\n\r\n";
  return out;
}

} // namespace

TEST_CASE("a chat is asked as a stream, and read like any reply") {
  counting_peer server{either};
  const auto client = client_of(provider_at(server.peer.url()));
  for (int i = 0; i < 3; ++i) {
    const auto got = ask(*client);
    CHECK(content_of(got) == "hi");
    CHECK(std::get<chat_reply>(got.answer->reply).usage
          == token_usage{10, 4, 2, 0});
    CHECK(got.report.attempts == 1);
    CHECK(got.report.maybe_charged == 0);
  }
  CHECK(server.streamed == 3);
  CHECK(server.peer.connections() == 1);
  CHECK(server.peer.requests().front().body.find(
            R"("stream_options":{"include_usage":true})")
        != std::string::npos);
}

TEST_CASE("an option turns streaming off, and embeddings never stream") {
  counting_peer server{[](const peer_request& request) {
    if (request.target.find("/embeddings") == std::string::npos)
      return either(request);
    peer_reply out;
    out.body = embedding_body({{{1, 2}}, {}});
    return out;
  }};
  auto options = provider_at(server.peer.url());
  CHECK(ask(*client_of(options), embedding_call({"a"})).answer);
  options.supports_stream = false;
  CHECK(content_of(ask(*client_of(options))) == "hi");
  CHECK(server.streamed == 0);
}

TEST_CASE("a server that does not stream is asked without from then on, and "
          "that costs nothing") {
  struct row {
    std::string name;
    peer_reply refusal;
    int streamed; ///< requests that asked for a stream
  };
  const auto refuse = [](unsigned status, const std::string& message) {
    peer_reply out;
    out.status = status;
    out.body = "{\"error\":{\"message\":\"" + message + "\"}}";
    return out;
  };
  for (const auto& [name, refusal, streamed] : std::vector<row>{
           {"stream", refuse(400, "Unsupported value: 'stream'"), 1},
           {"words", refuse(501, "Streaming is not implemented"), 1},
           {"options, then stream",
            refuse(422, "body.stream_options: Extra inputs are not permitted"),
            2}}) {
    INFO(name);
    counting_peer server{[&, bad = refusal](const peer_request& request) {
      return streams(request) ? bad : good_reply();
    }};
    const auto client = client_of(provider_at(server.peer.url()));
    const auto first = ask(*client);
    CHECK(content_of(first) == "hi");
    CHECK(first.outcomes.front() == attempt_outcome::stream_refused);
    CHECK(first.report.maybe_charged == 0);
    CHECK(content_of(ask(*client)) == "hi");
    CHECK(server.streamed == streamed);
  }
}

TEST_CASE("a server that refuses stream_options only streams without them") {
  counting_peer server{[](const peer_request& request) {
    if (request.body.find("stream_options") == std::string::npos)
      return either(request);
    peer_reply out;
    out.status = 422;
    out.body = R"({"detail":[{"loc":["body","stream_options"]}]})";
    return out;
  }};
  const auto client = client_of(provider_at(server.peer.url()));
  CHECK(content_of(ask(*client)) == "hi");
  CHECK(content_of(ask(*client)) == "hi");
  CHECK(server.streamed == 3);
}

TEST_CASE("after a stream without token counts, replies come with them") {
  counting_peer server{[](const peer_request& request) {
    return streams(request) ? good_stream("hi", false) : good_reply();
  }};
  const auto client = client_of(provider_at(server.peer.url()));
  for (int i = 0; i < 3; ++i)
    CHECK(content_of(ask(*client)) == "hi");
  CHECK(server.streamed == 1);
}

TEST_CASE("a stream that ended before its finish_reason is cut off, not short, "
          "and may be charged") {
  const auto whole = stream_body(reply_saying("a long story"), 3);
  const auto half = whole.substr(0, whole.find("ory"));
  auto broken = stream_of(whole);
  broken.stop_after = 600;
  broken.ending = peer_ending::close;
  peer_reply no_length;
  no_length.raw =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + half;
  no_length.ending = peer_ending::close;
  auto cut_chunks = chunked(half, false);
  cut_chunks.ending = peer_ending::close;
  for (const auto& bad :
       {stream_of(half), broken, no_length, cut_chunks, chunked(half, true)}) {
    http_peer peer{[bad](const peer_request&) { return bad; }};
    auto options = provider_at(peer.url());
    options.retry.retry_ambiguous = false;
    const auto got = ask(*client_of(options));
    REQUIRE_FALSE(got.answer);
    INFO(got.answer.error().message);
    CHECK(got.answer.error().code == ec::io);
    CHECK(got.outcomes == std::vector{attempt_outcome::maybe_processed});
    CHECK(got.report.maybe_charged == 1);
  }
}

TEST_CASE("a stream that breaks after its finish_reason is whole") {
  const auto whole = stream_body(reply_saying("hi"), 5);
  const auto after = whole.find("[DONE]");
  for (const auto cut : {after - 10, after + 5}) {
    auto bad = chunked(whole.substr(0, cut), false);
    bad.ending = peer_ending::reset;
    http_peer peer{[bad](const peer_request&) { return bad; }};
    const auto got = ask(*client_of(provider_at(peer.url())));
    CHECK(content_of(got) == "hi");
    CHECK(got.report.attempts == 1);
  }
}

TEST_CASE("a connection that stays open after [DONE] does not delay the reply "
          "to its timeout") {
  auto open = chunked(stream_body(reply_saying("hi"), 5), false);
  open.ending = peer_ending::silence;
  http_peer peer{[open](const peer_request&) { return open; }};
  const auto got = ask(*client_of(provider_at(peer.url())));
  CHECK(content_of(got) == "hi"); // the idle timeout is a minute
  CHECK(got.report.attempts == 1);
}

TEST_CASE("a stalled stream is ended by the idle timeout once it has spoken, "
          "and by the first byte's before") {
  const auto whole = stream_body(reply_saying("a long story"), 3);
  auto stalls = chunked(whole.substr(0, whole.find("ory")), false);
  stalls.ending = peer_ending::silence;
  auto silent = chunked(": ping\n\n", false);
  silent.ending = peer_ending::silence;
  struct row {
    peer_reply reply;
    std::chrono::milliseconds http_timeouts::*which;
    milliseconds limit;
    std::string says;
  };
  for (const auto& [reply, which, limit, message] :
       std::vector<row>{{stalls, &http_timeouts::idle, milliseconds{150},
                         "nothing more of the reply came within 150 ms"},
                        // The ping comes well within it.
                        {silent, &http_timeouts::first_byte, milliseconds{2000},
                         "nothing of the answer came within 2000 ms"}}) {
    INFO(message);
    http_peer peer{[bad = reply](const peer_request&) { return bad; }};
    auto options = provider_at(peer.url());
    options.timeouts.*which = limit;
    options.retry.most_paid_retries = 0;
    const auto got = ask(*client_of(options));
    REQUIRE_FALSE(got.answer);
    INFO(got.answer.error().message);
    CHECK(got.answer.error().code == ec::timeout);
    CHECK(got.answer.error().message.find(message) != std::string::npos);
    CHECK(got.report.maybe_charged == 1);
  }
}

TEST_CASE("a model that reasons for longer than the idle timeout is not cut, "
          "whether it streams its thoughts, pings or is silent at first") {
  const auto whole = stream_body(reply_saying("42"), 5);
  std::string thoughts;
  std::string pings;
  for (int i = 0; i < 8; ++i) {
    thoughts += "data: {\"choices\":[{\"index\":0,\"delta\":{"
                "\"reasoning_content\":\"hm\"}}]}\n\n";
    pings += ": ping\n\n";
  }
  auto thinks = stream_of(thoughts + whole);
  thinks.drip_bytes = 80;
  thinks.drip_pause = milliseconds{150};
  auto lives = stream_of(pings + whole);
  lives.drip_bytes = 30;
  lives.drip_pause = milliseconds{75};
  auto late = stream_of(whole);
  late.delay = milliseconds{2500};
  for (const auto& reply : {thinks, lives, late}) {
    http_peer peer{[reply](const peer_request&) { return reply; }};
    auto options = provider_at(peer.url());
    options.timeouts.idle = milliseconds{2000};
    const auto got = ask(*client_of(options));
    CHECK(content_of(got) == "42");
    CHECK(got.report.attempts == 1);
  }
}

TEST_CASE("a server that only pings is ended by the total timeout") {
  std::string pings;
  for (int i = 0; i < 10'000; ++i)
    pings += ": ping\n\n";
  auto drips = stream_of(pings);
  drips.drip_bytes = 8;
  drips.drip_pause = milliseconds{10};
  http_peer peer{[drips](const peer_request&) { return drips; }};
  auto options = provider_at(peer.url());
  options.timeouts.total = milliseconds{300};
  options.retry.most_paid_retries = 0;
  const auto got = ask(*client_of(options));
  REQUIRE_FALSE(got.answer);
  CHECK(got.answer.error().message.find("no complete reply within 300 ms")
        != std::string::npos);
}

TEST_CASE("an error in the stream is free before the first words only") {
  const std::string busy =
      "data: {\"error\":{\"message\":\"busy\",\"code\":503}}\n\n";
  const std::string word = "data: {\"choices\":[{\"index\":0,\"delta\":{"
                           "\"content\":\"x\"}}]}\n\n";
  for (const auto& [body, outcome, charged] :
       {std::tuple{busy, attempt_outcome::overloaded, 0u},
        std::tuple{word + busy, attempt_outcome::maybe_processed, 1u}}) {
    std::atomic<int> served{0};
    http_peer peer{[&, text = body](const peer_request& request) {
      return ++served == 1 ? stream_of(text) : either(request);
    }};
    const auto got = ask(*client_of(provider_at(peer.url())));
    CHECK(content_of(got) == "hi");
    CHECK(got.outcomes == std::vector{outcome, attempt_outcome::answered});
    CHECK(got.report.maybe_charged == charged);
  }
}

TEST_CASE("a stream under another name and JSON under that of a stream are "
          "read as what they are") {
  auto unnamed = good_stream();
  unnamed.headers = {{"Content-Type", "application/json"}};
  auto misnamed = good_reply();
  misnamed.headers = {{"Content-Type", "text/event-stream"}};
  for (const auto& reply : {unnamed, misnamed}) {
    http_peer peer{[reply](const peer_request&) { return reply; }};
    const auto got = ask(*client_of(provider_at(peer.url())));
    CHECK(content_of(got) == "hi");
    CHECK(got.report.attempts == 1);
  }
}

TEST_CASE("a key that a model streams back letter by letter is not shown") {
  const std::string key = "sk-0123456789abcdef";
  http_peer peer{[&](const peer_request&) {
    return stream_of(stream_body(reply_saying("it is " + key), 1));
  }};
  auto options = provider_at(peer.url());
  options.api_key = secret{key};
  CHECK(content_of(ask(*client_of(options))) == "it is [secret]");
}

// -- the trial ----------------------------------------------------------------

TEST_CASE("only one call tries whether a server streams") {
  stream_trial trial{true};
  CHECK(trial.next(1, false) == trial_mode::with_usage);
  CHECK(trial.next(2, false) == trial_mode::off);
  CHECK(trial.learn(2, trial_verdict::unknown).empty());
  CHECK(trial.next(3, false) == trial_mode::off);
  CHECK(trial.learn(1, trial_verdict::works).empty());
  CHECK(trial.next(4, false) == trial_mode::with_usage);
  CHECK(trial.next(5, true) == trial_mode::with_usage);
}

TEST_CASE("a trial that ended without a result is made again, by a call that "
          "has not failed") {
  stream_trial trial{true};
  CHECK(trial.next(1, false) == trial_mode::with_usage);
  trial.forget(1);
  CHECK(trial.next(1, true) == trial_mode::off);
  CHECK(trial.next(2, false) == trial_mode::with_usage);
}

TEST_CASE("what a server does with a stream decides how it is asked") {
  struct row {
    std::vector<trial_verdict> seen;
    trial_mode then;
  };
  for (const auto& [seen, then] : std::vector<row>{
           {{trial_verdict::refused}, trial_mode::off},
           {{trial_verdict::plain}, trial_mode::off},
           {{trial_verdict::no_usage}, trial_mode::off},
           {{trial_verdict::interrupted}, trial_mode::off},
           {{trial_verdict::usage_refused}, trial_mode::plain},
           {{trial_verdict::usage_refused, trial_verdict::works},
            trial_mode::plain},
           {{trial_verdict::usage_refused, trial_verdict::usage_refused},
            trial_mode::off},
           {{trial_verdict::usage_refused, trial_verdict::no_usage},
            trial_mode::off},
           {{trial_verdict::failed, trial_verdict::failed},
            trial_mode::with_usage},
           {{trial_verdict::failed, trial_verdict::failed,
             trial_verdict::failed},
            trial_mode::off},
           {{trial_verdict::works, trial_verdict::no_usage},
            trial_mode::with_usage},
           {{trial_verdict::works, trial_verdict::interrupted},
            trial_mode::with_usage},
           {{trial_verdict::works, trial_verdict::failed},
            trial_mode::with_usage},
           {{trial_verdict::works, trial_verdict::refused}, trial_mode::off}}) {
    stream_trial trial{true};
    std::uint64_t call = 0;
    for (const auto what : seen) {
      (void)trial.next(++call, false);
      const auto why = trial.learn(call, what);
      if (trial.next(call + 100, false) == trial_mode::off)
        CHECK((!why.empty() || what == trial_verdict::unknown));
      trial.forget(call + 100);
    }
    CHECK(trial.next(99, false) == then);
  }
  CHECK(stream_trial{false}.next(1, false) == trial_mode::off);
}

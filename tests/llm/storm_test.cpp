/// Many calls against a server that refuses many: none is lost, none is asked
/// twice that was answered, and all of it can be seen.

#include "tests/llm/support.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <map>

using namespace brewery;
using std::chrono::milliseconds;

namespace {

/// Lets `capacity` requests in at once and refuses the rest; a request is in
/// for 5 ms. Refuses the first ones in any case, also where each comes after
/// the one before has left.
class narrow_server {
public:
  narrow_server(std::size_t capacity, peer_reply refusal)
      : capacity_(capacity), refusal_(std::move(refusal)) {}

  peer_reply operator()(const peer_request& request) {
    const auto now = std::chrono::steady_clock::now();
    std::erase_if(leave_, [&](auto when) { return when <= now; });
    if (refused < 20 || leave_.size() >= capacity_) {
      ++refused;
      return refusal_;
    }
    leave_.push_back(now + milliseconds{5});
    const auto text = parse_chat_request(request.body).messages.back().content;
    ++answered[text];
    auto out = good_reply(text);
    out.delay = milliseconds{5};
    return out;
  }

  // On the peer's thread; read when it has ended.
  std::map<std::string, int> answered;
  std::size_t refused = 0;

private:
  std::size_t capacity_;
  peer_reply refusal_;
  std::vector<std::chrono::steady_clock::time_point> leave_;
};

} // namespace

TEST_CASE("in a storm of refusals every call is answered once") {
  constexpr std::size_t calls = 300;
  peer_reply refusal;
  const auto kind = GENERATE(0, 1, 2, 3);
  refusal.status = kind == 3 ? 503 : 429;
  if (kind == 1) refusal.headers = {{"Retry-After", "0.02"}};
  if (kind == 2) refusal.headers = {{"retry-after-ms", "20"}};
  INFO("kind " << kind);
  narrow_server narrow{8, refusal};
  std::map<std::string, int> got;
  std::size_t refusals_seen = 0;
  std::size_t pauses = 0;
  std::size_t attempts = 0;
  std::size_t reported = 0;
  provider_status status;
  {
    http_peer peer{
        [&](const peer_request& request) { return narrow(request); }};
    auto options = provider_at(peer.url());
    options.initial_concurrency = 100;
    options.retry.most_retries = 1000;
    options.retry.longest_wait = milliseconds{30};
    countdown all{calls};
    // All callbacks are on the client's one thread.
    const auto client = client_of(
        options, {1, 5, [&](const call_event& event) {
                    attempts += event.stage == call_stage::started;
                    pauses += event.stage == call_stage::pausing;
                    if (event.stage == call_stage::ended
                        && event.result.outcome != attempt_outcome::answered)
                      ++refusals_seen;
                  }});
    for (std::size_t i = 0; i < calls; ++i)
      client->ask({"local", "s" + std::to_string(i % 5), {}},
                  chat_call(std::to_string(i)),
                  [&](const result<model_answer>& answer, const auto& report) {
                    if (answer)
                      ++got[std::get<chat_reply>(answer->reply).content];
                    reported += report.attempts;
                    CHECK(report.maybe_charged == 0);
                    all.arrive();
                  });
    REQUIRE(all.wait());
    status = client->status().at(0);
  }
  CHECK(got.size() == calls);
  CHECK(narrow.answered == got);
  for (const auto& [text, times] : got)
    REQUIRE(times == 1);
  CHECK(narrow.refused > 0);
  CHECK(refusals_seen == narrow.refused);
  CHECK(attempts == calls + narrow.refused);
  CHECK(reported == attempts);
  CHECK(pauses <= refusals_seen);
  CHECK(status.answered == calls);
  CHECK(status.attempts == attempts);
  CHECK(status.limit < 100);
  CHECK(status.out + status.queued + status.pausing == 0);
}

TEST_CASE("what one call is told to wait holds for all calls to the server") {
  std::atomic<int> served{0};
  std::chrono::steady_clock::time_point refused_at;
  std::atomic<std::int64_t> next_after_ms{-1};
  http_peer peer{[&](const peer_request&) {
    const auto now = std::chrono::steady_clock::now();
    if (++served == 1) {
      refused_at = now;
      peer_reply out;
      out.status = 429;
      out.headers = {{"retry-after-ms", "300"}};
      return out;
    }
    if (next_after_ms < 0)
      next_after_ms =
          std::chrono::duration_cast<milliseconds>(now - refused_at).count();
    return good_reply();
  }};
  auto options = provider_at(peer.url());
  options.initial_concurrency = options.most_concurrency = 1;
  options.retry.longest_wait = milliseconds{1000};
  const auto client = client_of(options);
  countdown both{2};
  for (int i = 0; i < 2; ++i)
    client->ask(
        {"local", "s", {}}, chat_call(),
        [&](const result<model_answer>&, const auto&) { both.arrive(); });
  REQUIRE(both.wait());
  CHECK(served == 3);
  CHECK(next_after_ms >= 290);
}

TEST_CASE("a pause longer than allowed ends the call, and says so") {
  peer_reply refusal;
  refusal.status = 429;
  refusal.headers = {{"Retry-After", "7200"}};
  http_peer peer{[&](const peer_request&) { return refusal; }};
  const auto got = ask(*client_of(provider_at(peer.url())));
  REQUIRE_FALSE(got.answer);
  CHECK(got.answer.error().code == ec::rate_limited);
  CHECK(got.answer.error().message.find("a pause of 7200 s")
        != std::string::npos);
  CHECK(peer.requests().size() == 1);
}

#pragma once
/// Calls and servers for the tests of the client.

#include "llm/client/model_client.hpp"
#include "tests/fixtures/model_server.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <string>
#include <vector>

namespace brewery {

/// Patient enough for a busy machine, quick between attempts.
inline provider provider_at(const std::string& url) {
  provider out;
  out.name = "local";
  out.base_url = url;
  out.retry.first_wait = std::chrono::milliseconds{1};
  out.retry.longest_wait = std::chrono::milliseconds{5};
  return out;
}

inline model_call chat_call(const std::string& text = "hello") {
  chat_request request;
  request.model = "m";
  request.messages.push_back({chat_role::user, text, {}, {}, {}});
  model_call out;
  out.request = std::move(request);
  return out;
}

inline model_call embedding_call(std::vector<std::string> texts) {
  model_call out;
  out.request = embedding_request{"e", std::move(texts), 0};
  return out;
}

inline peer_reply good_reply(const std::string& text = "hi") {
  peer_reply out;
  chat_reply says;
  says.content = text;
  says.usage = {10, 0, 2, 0};
  out.body = chat_body(says);
  return out;
}

inline std::unique_ptr<model_client>
client_of(provider one, model_client_options options = {1, 7, {}}) {
  auto started = model_client::start({std::move(one)}, std::move(options));
  if (!started) FAIL(started.error().message);
  return *std::move(started);
}

/// Blocks the caller. Cancels the call once `cancelled` is set.
inline result<model_answer>
ask_and_wait(model_client& client, call_options options, const model_call& call,
             const std::atomic<bool>* cancelled, call_report& report) {
  using outcome = std::pair<result<model_answer>, call_report>;
  const auto promise = std::make_shared<std::promise<outcome>>();
  auto ended = promise->get_future();
  const auto id = client.ask(
      std::move(options), call,
      [promise](result<model_answer> answer, const call_report& took) {
        promise->set_value({std::move(answer), took});
      });
  while (cancelled != nullptr
         && ended.wait_for(std::chrono::milliseconds{1})
                != std::future_status::ready) {
    if (!*cancelled) continue;
    client.cancel(id);
    break;
  }
  auto [answer, took] = ended.get();
  report = took;
  return answer;
}

/// An answer with what it took; `events` in the order they came.
struct asked {
  result<model_answer> answer;
  call_report report;
  std::vector<attempt_outcome> outcomes;
  std::vector<call_stage> stages;
};

inline asked ask(model_client& client, const model_call& call = chat_call(),
                 const std::string& provider = "local") {
  asked out{error{ec::internal, "no answer"}, {}, {}, {}};
  call_options options{provider, "search", [&](const call_event& event) {
                         out.stages.push_back(event.stage);
                         if (event.stage == call_stage::ended)
                           out.outcomes.push_back(event.result.outcome);
                       }};
  out.answer = ask_and_wait(client, options, call, nullptr, out.report);
  return out;
}

/// Waits for a number of callbacks.
class countdown {
public:
  explicit countdown(std::size_t count) : left_(count) {}
  void arrive() {
    const std::lock_guard lock{mutex_};
    if (--left_ == 0) zero_.notify_all();
  }
  /// False when a minute was not enough.
  [[nodiscard]] bool wait() {
    std::unique_lock lock{mutex_};
    return zero_.wait_for(lock, std::chrono::minutes{1},
                          [this] { return left_ == 0; });
  }

private:
  std::mutex mutex_;
  std::condition_variable zero_;
  std::size_t left_;
};

} // namespace brewery

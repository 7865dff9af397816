#pragma once
/// Calls for a broker, and transports that answer them as a test likes.

#include "actors/model_broker.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

#include <condition_variable>
#include <deque>

namespace brewery::test {

inline constexpr picodollars cent = picodollars_per_dollar / 100;

inline model_answer saying(const std::string& text, std::uint64_t tokens = 10) {
  chat_reply reply;
  reply.content = text;
  reply.usage = {tokens, 0, 1, 0};
  return {reply};
}

inline model_call asking(const std::string& text, std::uint32_t number = 0,
                         const std::string& job = "job") {
  chat_request chat;
  chat.model = "writer";
  chat.messages = {{chat_role::user, text, {}, {}, ""}};
  chat.temperature = {0.7};
  chat.max_tokens = 100;
  return {{job}, number, "agent", chat};
}

/// Holds calls until the test answers them.
class manual_transport final : public model_transport {
public:
  struct pending_call {
    model_call call;
    std::function<bool()> pays_again;
    std::function<void(transport_outcome)> done;
  };
  void send(const model_call& call, const std::string&,
            std::function<bool()> pays_again,
            std::function<void(transport_outcome)> done) override {
    const std::lock_guard lock{mutex_};
    calls_.push_back({call, std::move(pays_again), std::move(done)});
  }
  void stop_retries(const std::string& owner) override {
    stopped = owner;
    if (on_stop) on_stop();
  }
  void end_calls(const std::string&) override {
    while (open() > 0)
      take().done({error{ec::cancelled, "ended"}, 1});
  }
  std::string stopped;
  std::function<void()> on_stop;
  pending_call take() {
    const std::lock_guard lock{mutex_};
    REQUIRE_FALSE(calls_.empty());
    auto out = std::move(calls_.front());
    calls_.pop_front();
    return out;
  }
  std::size_t open() {
    const std::lock_guard lock{mutex_};
    return calls_.size();
  }

private:
  std::mutex mutex_;
  std::deque<pending_call> calls_;
};

/// Answers at once, counting.
class talking_transport final : public model_transport {
public:
  void send(const model_call& call, const std::string&, std::function<bool()>,
            std::function<void(transport_outcome)> done) override {
    ++sent;
    if (const auto* chat = std::get_if<chat_request>(&call.request))
      last_seed = chat->seed.value_or(0);
    done(
        {saying("to "
                + std::get<chat_request>(call.request).messages.back().content),
         0});
  }
  std::atomic<int> sent{0};
  std::atomic<std::uint64_t> last_seed{0};
};

struct outcome {
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<result<model_answer>> answer;

  void operator()(result<model_answer> got) {
    const std::lock_guard lock{mutex};
    answer = std::move(got);
    changed.notify_all();
  }
  result<model_answer> wait() {
    std::unique_lock lock{mutex};
    REQUIRE(changed.wait_for(lock, std::chrono::seconds{20},
                             [&] { return answer.has_value(); }));
    return *answer;
  }
  bool done() {
    const std::lock_guard lock{mutex};
    return answer.has_value();
  }
};

inline std::shared_ptr<outcome> ask(model_broker& broker, model_call call) {
  auto out = std::make_shared<outcome>();
  broker.ask(std::move(call), [out](result<model_answer> got) { (*out)(got); });
  return out;
}

inline model_broker_inputs
inputs_for(const std::filesystem::path& run,
           std::shared_ptr<model_transport> transport, budget funds = {}) {
  model_broker_inputs in;
  in.owner = "run";
  in.models["writer"] = {"gpt", {1'000'000, 500'000, 4'000'000}, 4'096};
  in.limits = std::move(funds);
  auto recording = model_recording::open(run);
  if (!recording) FAIL(recording.error().message);
  in.recording = *recording;
  in.transport = std::move(transport);
  return in;
}

inline std::string said(const result<model_answer>& answer) {
  if (!answer) return "error: " + answer.error().message;
  return std::get<chat_reply>(answer->reply).content;
}

/// Why a call halts the broker.
inline std::string refusal(model_broker& broker, model_call call) {
  const auto answer = ask(broker, std::move(call))->wait();
  CHECK(answer.error().code == ec::cancelled);
  REQUIRE(broker.halted());
  return broker.halted()->message;
}

} // namespace brewery::test

/// The desk against a scripted transport and a real recording on disk.

#include "actors/model_desk.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

#include <condition_variable>
#include <deque>
#include <set>
#include <thread>

using namespace brewery;

namespace {

constexpr picodollars cent = picodollars_per_dollar / 100;

model_answer saying(const std::string& text, std::uint64_t tokens = 10) {
  chat_reply reply;
  reply.content = text;
  reply.usage = {tokens, 0, 1, 0};
  return {{reply}, {}};
}

model_call asking(const std::string& text, std::uint32_t number = 0,
                  const std::string& job = "job") {
  chat_request chat;
  chat.model = "writer";
  chat.messages = {{chat_role::user, text, {}, {}, ""}};
  chat.temperature = {0.7};
  chat.max_tokens = 100;
  return {{job}, number, "agent", {chat}, {}};
}

/// Holds calls until the test answers them.
class held_transport final : public model_transport {
public:
  struct held {
    model_call call;
    std::function<void(transport_outcome)> done;
  };
  void send(const model_call& call, const std::string&,
            std::function<void(transport_outcome)> done) override {
    const std::lock_guard lock{mutex_};
    calls.push_back({call, std::move(done)});
  }
  held take() {
    const std::lock_guard lock{mutex_};
    REQUIRE_FALSE(calls.empty());
    auto out = std::move(calls.front());
    calls.pop_front();
    return out;
  }
  std::size_t open() {
    const std::lock_guard lock{mutex_};
    return calls.size();
  }

private:
  std::mutex mutex_;
  std::deque<held> calls;
};

/// Answers at once, counting.
class talking_transport final : public model_transport {
public:
  void send(const model_call& call, const std::string&,
            std::function<void(transport_outcome)> done) override {
    ++sent;
    done({saying("to " + call.chat.front().messages.back().content), 0});
  }
  std::atomic<int> sent{0};
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

std::shared_ptr<outcome> ask(model_desk& desk, model_call call) {
  auto out = std::make_shared<outcome>();
  desk.ask(std::move(call), [out](result<model_answer> got) { (*out)(got); });
  return out;
}

model_desk_inputs inputs_for(const std::filesystem::path& run,
                             std::shared_ptr<model_transport> transport,
                             budget funds = {}) {
  model_desk_inputs in;
  in.owner = "run";
  in.models["writer"] = {"gpt", {1'000'000, 500'000, 4'000'000}, 4'096};
  in.funds = std::move(funds);
  auto recording = model_recording::open(run);
  REQUIRE(recording);
  in.recording = *recording;
  in.transport = std::move(transport);
  return in;
}

std::string said(const result<model_answer>& answer) {
  if (!answer) return "error: " + answer.error().message;
  return answer->chat.front().content;
}

} // namespace

TEST_CASE("a reply is bought once, also by a process that comes later") {
  const scratch run;
  auto transport = std::make_shared<talking_transport>();
  {
    auto desk = model_desk::make(inputs_for(run.path(), transport));
    CHECK(said(ask(*desk, asking("x"))->wait()) == "to x");
    CHECK(said(ask(*desk, asking("x"))->wait()) == "to x");
    CHECK(transport->sent == 1);
    CHECK(desk->view().spent == spending{1, 11, 14'000'000});
    desk->close();
  }
  auto again = model_desk::make(inputs_for(run.path(), transport));
  CHECK(again->view().spent == spending{1, 11, 14'000'000});
  CHECK(said(ask(*again, asking("x"))->wait()) == "to x");
  CHECK(transport->sent == 1);
  CHECK(said(ask(*again, asking("x", 1))->wait()) == "to x"); // another sample
  CHECK(transport->sent == 2);
  again->close();
}

TEST_CASE("two that ask the same at once wait for one reply") {
  const scratch run;
  auto transport = std::make_shared<held_transport>();
  auto desk = model_desk::make(inputs_for(run.path(), transport));
  const auto one = ask(*desk, asking("x"));
  const auto two = ask(*desk, asking("x"));
  CHECK(transport->open() == 1);
  auto sent = transport->take();
  CHECK(sent.call.chat.front().model == "writer");
  sent.done({saying("once"), 0});
  CHECK(said(one->wait()) == "once");
  CHECK(said(two->wait()) == "once");
  CHECK(desk->view().spent.calls == 1);
  desk->close();
}

TEST_CASE("what fails costs nothing, what may be charged costs the most") {
  const scratch run;
  auto transport = std::make_shared<held_transport>();
  auto desk = model_desk::make(inputs_for(run.path(), transport));
  const auto free = ask(*desk, asking("free"));
  transport->take().done({error{ec::rate_limited, "too many"}, 0});
  CHECK(said(free->wait()) == "error: too many");
  CHECK(desk->view().spent == spending{});
  CHECK(desk->view().reserved == spending{});
  const auto lost = ask(*desk, asking("lost"));
  const auto reserved = desk->view().reserved;
  CHECK(reserved.tokens > 100);
  transport->take().done({error{ec::timeout, "no reply"}, 1});
  CHECK_FALSE(lost->wait());
  CHECK(desk->view().spent == reserved);
  desk->close();
  desk.reset();
  // It is on record, so that the run does not forget it.
  auto later = model_desk::make(inputs_for(run.path(), transport));
  CHECK(later->view().spent == reserved);
  later->close();
}

TEST_CASE("a spent budget halts the desk, fails nobody and is told once") {
  const scratch run;
  auto transport = std::make_shared<held_transport>();
  auto desk = model_desk::make(
      inputs_for(run.path(), transport, budget{{0, 500, 0}, {}}));
  int told = 0;
  desk->when_halted([&] { ++told; });
  const auto first = ask(*desk, asking("a"));
  const auto second = ask(*desk, asking("b"));
  const auto third = ask(*desk, asking("c"));
  // The first two fit side by side, the third waits for what they leave.
  REQUIRE(transport->open() == 2);
  CHECK(desk->view().waiting == 1);
  transport->take().done({saying("a", 190), 0});
  CHECK(said(first->wait()) == "a");
  transport->take().done({saying("b", 190), 0});
  CHECK(said(second->wait()) == "b");
  CHECK(told == 1);
  REQUIRE(desk->halted());
  CHECK(desk->halted()->code == ec::over_budget);
  const auto fourth = ask(*desk, asking("d"));
  CHECK(transport->open() == 0);
  // What is on record is still answered.
  CHECK(said(ask(*desk, asking("a"))->wait()) == "a");
  desk->close();
  CHECK(third->wait().error().code == ec::cancelled);
  CHECK(fourth->wait().error().code == ec::cancelled);
  CHECK(told == 1);
}

TEST_CASE("a refused key halts the desk") {
  const scratch run;
  auto transport = std::make_shared<held_transport>();
  auto desk = model_desk::make(inputs_for(run.path(), transport));
  const auto asked = ask(*desk, asking("a"));
  transport->take().done({error{ec::unauthorized, "wrong key"}, 0});
  REQUIRE(desk->halted());
  CHECK(desk->halted()->message == "wrong key");
  desk->close();
  CHECK(asked->wait().error().code == ec::cancelled);
}

TEST_CASE("a replay answers from the recording and needs no transport") {
  const scratch recorded, run;
  {
    auto desk = model_desk::make(
        inputs_for(recorded.path(), std::make_shared<talking_transport>()));
    CHECK(ask(*desk, asking("x"))->wait());
    CHECK(ask(*desk, asking("y", 1))->wait());
    desk->close();
  }
  auto in = inputs_for(run.path(), nullptr);
  auto replay = model_recording::open_for_replay(recorded.path());
  REQUIRE(replay);
  in.replay = *replay;
  auto desk = model_desk::make(std::move(in));
  CHECK(said(ask(*desk, asking("x"))->wait()) == "to x");
  CHECK(desk->view().spent.cost == 0);
  SECTION("a request that differs is named by its part") {
    (void)ask(*desk, asking("z", 1));
    for (int i = 0; i < 2000 && !desk->halted(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds{5});
    REQUIRE(desk->halted());
    CHECK(desk->halted()->message
          == "call 2 of the agent in job job differs from the recording in "
             "message 1 of 1");
  }
  SECTION("a call that was not made is named by its place") {
    (void)ask(*desk, asking("x", 7));
    REQUIRE(desk->halted());
    CHECK(desk->halted()->message
          == "the recording has no call 8 of the agent in job job; the run "
             "differs from the recorded one before it");
  }
  desk->close();
}

TEST_CASE("a run without a recording cannot be replayed") {
  const scratch nothing;
  const auto replay = model_recording::open_for_replay(nothing.path());
  REQUIRE_FALSE(replay);
  CHECK(replay.error().code == ec::not_found);
}

TEST_CASE("a job that is cancelled is let go at once, its reply is kept") {
  const scratch run;
  auto transport = std::make_shared<held_transport>();
  auto desk = model_desk::make(inputs_for(run.path(), transport));
  std::atomic<bool> cancelled{true};
  const auto answer = desk->ask(asking("x"), &cancelled);
  REQUIRE_FALSE(answer);
  CHECK(answer.error().code == ec::cancelled);
  transport->take().done({saying("late"), 0});
  CHECK(said(ask(*desk, asking("x"))->wait()) == "late");
  CHECK(desk->view().spent.calls == 1);
  desk->close();
}

TEST_CASE("a model that no catalog has is an error, not a call") {
  const scratch run;
  auto transport = std::make_shared<held_transport>();
  auto desk = model_desk::make(inputs_for(run.path(), transport));
  auto call = asking("x");
  call.chat.front().model = "nobody";
  CHECK(ask(*desk, call)->wait().error().code == ec::not_found);
  CHECK(transport->open() == 0);
  desk->close();
}

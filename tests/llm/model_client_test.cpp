#include "tests/fixtures/scratch.hpp"
#include "tests/llm/support.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>

using namespace brewery;
using std::chrono::milliseconds;

namespace {

chat_reply echo(const chat_request& asked) {
  chat_reply out;
  out.content = "You said: " + asked.messages.back().content;
  return out;
}

} // namespace

TEST_CASE("a chat and an embedding are answered over HTTP") {
  model_server server{
      {echo,
       [](const embedding_request& request) {
         embedding_reply out;
         for (const auto& text : request.texts)
           out.vectors.push_back({static_cast<double>(text.size()), 0.5});
         return out;
       },
       {},
       milliseconds{0},
       {}}};
  const auto client = client_of(provider_at(server.url()));
  const auto said = ask(*client, chat_call("good morning"));
  REQUIRE(said.answer);
  CHECK(std::get<chat_reply>(said.answer->reply).content
        == "You said: good morning");
  CHECK(std::get<chat_reply>(said.answer->reply).model == "m");
  CHECK(std::get<chat_reply>(said.answer->reply).usage.prompt > 0);
  CHECK(said.report.attempts == 1);
  CHECK(said.report.maybe_charged == 0);
  CHECK(said.stages
        == std::vector{call_stage::queued, call_stage::started,
                       call_stage::ended, call_stage::finished});
  const auto vectors = ask(*client, embedding_call({"a", "bcd"}));
  REQUIRE(vectors.answer);
  CHECK(std::get<embedding_reply>(vectors.answer->reply).vectors
        == std::vector<std::vector<double>>{{1, 0.5}, {3, 0.5}});
  const auto seen = server.peer().requests();
  CHECK(seen.at(0).target == "/v1/chat/completions");
  CHECK(seen.at(1).target == "/v1/embeddings");
}

TEST_CASE("calls one after the other share a connection") {
  http_peer peer{[](const peer_request&) { return good_reply(); }};
  const auto client = client_of(provider_at(peer.url()));
  for (int i = 0; i < 20; ++i)
    REQUIRE(ask(*client).answer);
  CHECK(peer.requests().size() == 20);
  CHECK(peer.connections() == 1);
}

TEST_CASE("an unused connection is closed after keep_alive") {
  http_peer peer{[](const peer_request&) { return good_reply(); }};
  auto options = provider_at(peer.url());
  options.keep_alive = milliseconds{1};
  const auto client = client_of(options);
  REQUIRE(ask(*client).answer);
  for (int i = 0; i < 200 && peer.connections() < 2; ++i) {
    std::this_thread::sleep_for(milliseconds{50});
    REQUIRE(ask(*client).answer);
  }
  CHECK(peer.connections() == 2);
}

TEST_CASE("key, extra headers and the rest of the head are as the server wants "
          "them") {
  http_peer peer{[](const peer_request&) { return good_reply(); }};
  auto options = provider_at(peer.url() + "/base/");
  options.api_key = secret{"sk-0123456789"};
  options.headers = {{"X-Team", secret{"brewers"}}};
  REQUIRE(ask(*client_of(options)).answer);
  const auto seen = peer.requests().at(0);
  CHECK(seen.method == "POST");
  CHECK(seen.target == "/base/chat/completions");
  CHECK(seen.headers.at("authorization") == "Bearer sk-0123456789");
  CHECK(seen.headers.at("x-team") == "brewers");
  CHECK(seen.headers.at("content-type") == "application/json");
  CHECK(seen.headers.at("host") == "127.0.0.1:" + std::to_string(peer.port()));
  CHECK(seen.headers.count("transfer-encoding") == 0);
}

TEST_CASE("Azure's query and key header are kept") {
  http_peer peer{[](const peer_request&) { return good_reply(); }};
  auto options = provider_at(
      peer.url() + "/openai/deployments/gpt?api-version=2024-10-21");
  options.api_key = secret{"0123456789abcdef"};
  options.api_key_header = "api-key";
  REQUIRE(ask(*client_of(options)).answer);
  const auto seen = peer.requests().at(0);
  CHECK(seen.target
        == "/openai/deployments/gpt/chat/completions?api-version=2024-10-21");
  CHECK(seen.headers.at("api-key") == "0123456789abcdef");
  CHECK(seen.headers.count("authorization") == 0);
}

TEST_CASE("a plain call through a proxy names the whole address") {
  http_peer proxy{[](const peer_request&) { return good_reply(); }};
  auto options = provider_at("http://models.invalid:8000/v1");
  options.proxy = secret{"http://user:pass%20word@127.0.0.1:"
                         + std::to_string(proxy.port())};
  REQUIRE(ask(*client_of(options)).answer);
  const auto seen = proxy.requests().at(0);
  CHECK(seen.target == "http://models.invalid:8000/v1/chat/completions");
  CHECK(seen.headers.at("host") == "models.invalid:8000");
  CHECK(seen.headers.at("proxy-authorization") == "Basic dXNlcjpwYXNzIHdvcmQ=");
}

TEST_CASE("hundreds of calls are out at once on one thread") {
  constexpr std::size_t calls = 400;
  std::size_t most = 0;
  // On a slow machine the first reply may come before the last call is made.
  for (const int latency_ms : {300, 3'000, 20'000}) {
    std::size_t out = 0, good = 0; // of the client's one thread
    model_script script;
    script.chat = echo;
    script.latency = milliseconds{latency_ms};
    model_server server{script};
    auto options = provider_at(server.url());
    options.initial_concurrency = options.most_concurrency = calls;
    countdown all{calls};
    const auto client =
        client_of(options, {1, 1, [&](const call_event& event) {
                              if (event.stage == call_stage::started)
                                most = std::max(most, ++out);
                              if (event.stage == call_stage::ended) --out;
                            }});
    for (std::size_t i = 0; i < calls; ++i)
      client->ask({"local", "s", {}}, chat_call(std::to_string(i)),
                  [&, i](const result<model_answer>& answer, const auto&) {
                    good += answer
                            && std::get<chat_reply>(answer->reply).content
                                   == "You said: " + std::to_string(i);
                    all.arrive();
                  });
    REQUIRE(all.wait());
    CHECK(good == calls);
    if (most == calls) break;
  }
  CHECK(most == calls);
}

TEST_CASE("several threads of the client give the same answers") {
  constexpr std::size_t calls = 200;
  model_server server{{echo, {}, {}, milliseconds{2}, {}}};
  const auto client = client_of(provider_at(server.url()), {3, 1, {}});
  std::atomic<std::size_t> good{0};
  countdown all{calls};
  for (std::size_t i = 0; i < calls; ++i)
    client->ask({"local", "s", {}}, chat_call(std::to_string(i)),
                [&, i](const result<model_answer>& answer, const auto&) {
                  good += answer
                          && std::get<chat_reply>(answer->reply).content
                                 == "You said: " + std::to_string(i);
                  all.arrive();
                });
  REQUIRE(all.wait());
  CHECK(good == calls);
  const auto status = client->status().at(0);
  CHECK(status.answered == calls);
  CHECK(status.out == 0);
  CHECK(status.queued == 0);
}

TEST_CASE("an unknown provider is refused with the names there are") {
  http_peer peer{[](const peer_request&) { return good_reply(); }};
  const auto client = client_of(provider_at(peer.url()));
  const auto got = ask(*client, chat_call(), "remote");
  REQUIRE_FALSE(got.answer);
  CHECK(got.answer.error().code == ec::not_found);
  CHECK(got.answer.error().message
        == "there is no model server 'remote'; there is: local");
  CHECK(peer.requests().empty());
}

TEST_CASE("a request that cannot be written is refused before it is sent") {
  http_peer peer{[](const peer_request&) { return good_reply(); }};
  const auto client = client_of(provider_at(peer.url()));
  auto call = chat_call();
  std::get<chat_request>(call.request)
      .tools.push_back({"look", "", "{\"type\": "});
  const auto got = ask(*client, call);
  REQUIRE_FALSE(got.answer);
  CHECK(got.answer.error().code == ec::invalid_argument);
  CHECK(got.answer.error().message.find("tools[0] 'look': parameters")
        != std::string::npos);
  CHECK(got.report.attempts == 0);
  CHECK(peer.requests().empty());
}

// -- ending early -------------------------------------------------------------

TEST_CASE("a call is cancelled while it is queued, out or pausing") {
  peer_reply limited;
  limited.status = 429;
  limited.headers = {{"Retry-After", "100"}};
  peer_reply silent;
  silent.stop_after = 0;
  silent.ending = peer_ending::silence;
  const auto [stage, reply] =
      GENERATE_COPY(std::pair{call_stage::started, silent},
                    std::pair{call_stage::pausing, limited});
  INFO("stage " << static_cast<int>(stage));
  http_peer peer{[reply = reply](const peer_request&) { return reply; }};
  auto options = provider_at(peer.url());
  options.initial_concurrency = options.most_concurrency = 1;
  std::atomic<bool> stop{false};
  const auto client = client_of(options);
  countdown second{1};
  // Behind the first one, so it is queued until the end.
  const call_observer observer = [&, wanted = stage](const call_event& event) {
    if (event.stage == wanted) stop = true;
  };
  std::thread behind{[&] {
    while (!stop)
      std::this_thread::yield();
    const auto id =
        client->ask({"local", "s", {}}, chat_call(),
                    [&](const result<model_answer>& answer, const auto&) {
                      if (!answer && answer.error().code == ec::cancelled)
                        second.arrive();
                    });
    client->cancel(id);
  }};
  call_report report;
  const auto got = ask_and_wait(*client, {"local", "s", observer}, chat_call(),
                                &stop, report);
  behind.join();
  REQUIRE_FALSE(got);
  CHECK(got.error().code == ec::cancelled);
  CHECK(report.attempts == 1);
  CHECK(report.maybe_charged == (stage == call_stage::started ? 1 : 0));
  CHECK(second.wait());
}

TEST_CASE("calls of an owner who stops are not tried again") {
  peer_reply limited;
  limited.status = 429;
  limited.headers = {{"Retry-After", "100"}};
  http_peer peer{[limited](const peer_request&) { return limited; }};
  const auto client = client_of(provider_at(peer.url()));
  countdown pauses{1};
  const call_observer observer = [&](const call_event& event) {
    if (event.stage == call_stage::pausing) pauses.arrive();
  };
  std::thread stopper{[&] {
    (void)pauses.wait();
    client->stop_retries("another");
    client->stop_retries("s");
  }};
  call_report report;
  const auto got = ask_and_wait(*client, {"local", "s", observer}, chat_call(),
                                nullptr, report);
  stopper.join();
  REQUIRE_FALSE(got);
  CHECK(got.error().code == ec::cancelled);
  CHECK(report.attempts == 1);
  CHECK(report.maybe_charged == 0);
  CHECK(report.fault == call_fault::call);
}

TEST_CASE("calls of an owner end when the process does, wherever they are") {
  peer_reply silent;
  silent.stop_after = 0;
  silent.ending = peer_ending::silence;
  http_peer peer{[silent](const peer_request&) { return silent; }};
  auto options = provider_at(peer.url());
  options.initial_concurrency = options.most_concurrency = 1;
  const auto client = client_of(options);
  countdown started{1}, ended{2};
  std::atomic<std::uint32_t> charged{0};
  const call_observer observer = [&](const call_event& event) {
    if (event.stage == call_stage::started) started.arrive();
  };
  const auto done = [&](const result<model_answer>& answer,
                        const call_report& report) {
    charged += report.maybe_charged;
    if (!answer && answer.error().code == ec::cancelled) ended.arrive();
  };
  client->ask({"local", "s", observer}, chat_call(), done);
  client->ask({"local", "s", {}}, chat_call(), done); // queued behind it
  REQUIRE(started.wait());
  client->end_calls("another");
  client->end_calls("s");
  CHECK(ended.wait());
  CHECK(charged == 1);
}

TEST_CASE("a failure is the call's own where its model answers another") {
  const std::string other = GENERATE("m", "n");
  INFO("the other call asks model " << other);
  std::atomic<int> failed{0};
  std::atomic<bool> answered{false};
  http_peer peer{[&](const peer_request& asked) {
    if (asked.body.find("poison") == std::string::npos) {
      answered = true;
      return good_reply();
    }
    ++failed;
    peer_reply broken;
    broken.status = 500;
    if (!answered) broken.delay = milliseconds{20}; // the other has time
    return broken;
  }};
  auto options = provider_at(peer.url());
  // Between the first failure and the last, another call is answered.
  options.retry.most_retries = 300;
  options.retry.first_wait = options.retry.longest_wait = milliseconds{1};
  const auto client = client_of(options);
  std::thread beside{[&] {
    while (failed < 2)
      std::this_thread::yield();
    call_report ignored;
    auto call = chat_call();
    model_of(call) = other;
    (void)ask_and_wait(*client, {"local", "s", {}}, call, nullptr, ignored);
  }};
  call_report report;
  const auto got = ask_and_wait(*client, {"local", "s", {}},
                                chat_call("poison"), nullptr, report);
  beside.join();
  REQUIRE_FALSE(got);
  CHECK(report.attempts == 301);
  CHECK(report.fault
        == (other == "m" ? call_fault::call : call_fault::unclear));
}

TEST_CASE("destroying the client ends every call as cancelled, once each") {
  constexpr std::size_t calls = 50;
  peer_reply silent;
  silent.stop_after = 0;
  silent.ending = peer_ending::silence;
  http_peer peer{[silent](const peer_request&) { return silent; }};
  auto options = provider_at(peer.url());
  options.initial_concurrency = 10;
  std::atomic<std::size_t> ended{0};
  std::atomic<std::size_t> cancelled{0};
  auto client = client_of(options, {2, 1, {}});
  for (std::size_t i = 0; i < calls; ++i)
    client->ask({"local", "s", {}}, chat_call(),
                [&](const result<model_answer>& answer, const auto&) {
                  ++ended;
                  cancelled += !answer && answer.error().code == ec::cancelled;
                });
  client.reset();
  CHECK(ended == calls);
  CHECK(cancelled == calls);
}

TEST_CASE("a callback may be the last owner of its client") {
  struct at_end {
    explicit at_end(std::promise<void>& to) : told(&to) {}
    ~at_end() { told->set_value(); }
    at_end(const at_end&) = delete;
    at_end& operator=(const at_end&) = delete;
    std::promise<void>* told;
  };
  for (const unsigned threads : {1U, 2U}) {
    std::promise<void> gone;
    std::promise<void> asked; // answered when nobody is in the client any more
    http_peer peer{[left = asked.get_future().share()](const peer_request&) {
      left.wait();
      return good_reply();
    }};
    auto client = std::shared_ptr<model_client>{
        client_of(provider_at(peer.url()), {threads, 1, {}})};
    auto& one = *client;
    // Destroyed after the client, because it was made before.
    auto end = std::make_shared<at_end>(gone);
    one.ask({"local", "s", {}}, chat_call(),
            [end = std::move(end), client = std::move(client)](
                const result<model_answer>&, const auto&) {});
    asked.set_value();
    gone.get_future().wait();
  }
}

TEST_CASE("a callback may ask again, also while the client closes") {
  http_peer peer{[](const peer_request&) { return good_reply(); }};
  auto client = client_of(provider_at(peer.url()));
  countdown three{3};
  std::atomic<int> ended{0};
  std::function<void(int)> again = [&](int left) {
    client->ask({"local", "s", {}}, chat_call(),
                [&, left](const result<model_answer>& answer, const auto&) {
                  ++ended;
                  if (answer) three.arrive();
                  if (left > 1) again(left - 1);
                });
  };
  again(3);
  REQUIRE(three.wait());
  CHECK(ended == 3);
}

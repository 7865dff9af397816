#include "process/service_process.hpp"
#include "tests/envs/external/fake.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <fcntl.h>
#include <future>
#include <set>
#include <sys/ioctl.h>

using namespace brewery;
using namespace brewery::child;
using namespace std::chrono_literals;

namespace {

constexpr auto patience = 20s;

struct fake_service {
  scratch folder;
  service_options options;

  explicit fake_service(const std::vector<std::string>& words = {}) {
    options.name = "fake service";
    options.hello_member = "fake";
    options.command.words = {"python3", std::string{BREWERY_SOURCE_DIR}
                                            + "/tests/process/"
                                              "fake_service.py"};
    for (const auto& word : words)
      options.command.words.push_back(word);
    options.command.words.insert(options.command.words.end(),
                                 {"--pids", (folder.path() / "pids").string()});
    options.command.variables = {{"PATH", std::getenv("PATH")}};
  }

  [[nodiscard]] std::vector<pid_t> pids() const {
    std::ifstream in{folder.path() / "pids"};
    std::vector<pid_t> out;
    for (pid_t pid = 0; in >> pid;)
      out.push_back(pid);
    return out;
  }
};

json op(const char* name) {
  return {{"op", name}};
}

/// Whether there is something for the child that it has not read.
bool has_unread(pid_t child) {
  const file_descriptor pipe{
      ::open(("/proc/" + std::to_string(child) + "/fd/0").c_str(),
             O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
  int bytes = 0;
  return pipe && ::ioctl(pipe.get(), FIONREAD, &bytes) == 0 && bytes > 0;
}

/// A service that reads no more, and somebody in the middle of a request that
/// does not fit into its pipe, with much patience.
struct stuck_service {
  static constexpr auto long_patience = 120s;

  fake_service fake;
  std::optional<service_process> service;
  std::future<result<service_reply>> stuck;

  stuck_service() {
    fake.options.end_patience = 100ms;
    service.emplace(fake.options);
    REQUIRE(service->ask(op("stop-reading"), patience));
    stuck = std::async(std::launch::async, [this] {
      return service->ask({{"op", "echo"}, {"text", std::string(1 << 20, 'x')}},
                          long_patience);
    });
    const auto limit = std::chrono::steady_clock::now() + patience;
    while (!has_unread(fake.pids().front())) {
      REQUIRE(std::chrono::steady_clock::now() < limit);
      std::this_thread::yield();
    }
  }
};

} // namespace

TEST_CASE("a service is started when it is asked, and asked again as it is") {
  fake_service fake;
  service_process service{fake.options};
  CHECK(fake.pids().empty());
  const auto hello = service.hello();
  REQUIRE(hello);
  CHECK((*hello)["version"] == "7");
  const auto reply =
      service.ask({{"op", "echo"}, {"text", "hops \n \"and\" malt"}}, patience);
  REQUIRE(reply);
  CHECK(reply->body["text"] == "hops \n \"and\" malt");
  CHECK(reply->incarnation == 1);
  CHECK(fake.pids().size() == 1);
}

TEST_CASE("a service that rests is gone until it is asked") {
  fake_service fake;
  service_process service{fake.options};
  service.release_children();
  REQUIRE(service.hello());
  service.release_children();
  CHECK(service.incarnation() == 0);
  REQUIRE(service.hello());
  CHECK(service.incarnation() == 2);
}

TEST_CASE("replies find their requests in whatever order they come") {
  fake_service fake;
  service_process service{fake.options};
  constexpr int threads = 8;
  std::atomic<int> wrong{0};
  std::set<std::string> seen;
  std::mutex mutex;
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i)
    all.emplace_back([&] {
      const auto reply =
          service.ask({{"op", "hold"}, {"until", threads}}, patience);
      if (!reply || reply->body["text"] != reply->body["id"].dump()) ++wrong;
      const std::lock_guard lock{mutex};
      if (reply) seen.insert(reply->body["text"].get<std::string>());
    });
  for (auto& one : all)
    one.join();
  CHECK(wrong == 0);
  CHECK(seen.size() == threads);
}

TEST_CASE("whoever waits behind an unread request has its own patience") {
  stuck_service s;
  const auto before = std::chrono::steady_clock::now();
  const auto late = s.service->ask(op("pid"), 300ms);
  REQUIRE_FALSE(late);
  CHECK(late.error().message.find("did not answer within 300 ms")
        != std::string::npos);
  CHECK_FALSE(s.stuck.get());
  CHECK(std::chrono::steady_clock::now() - before
        < stuck_service::long_patience / 2);
}

TEST_CASE("a service ends although a request to it is not read") {
  stuck_service s;
  const auto before = std::chrono::steady_clock::now();
  s.service->release_children();
  CHECK_FALSE(s.stuck.get());
  CHECK(std::chrono::steady_clock::now() - before
        < stuck_service::long_patience / 2);
}

TEST_CASE("what a service complains of is limited for each request") {
  fake_service fake;
  std::vector<std::string> lines; // read when the thread that adds waits
  fake.options.log = [&](const std::string& line) { lines.push_back(line); };
  service_process service{fake.options};
  const auto complain = [](int count, const char* text) {
    return json{{"op", "complain"}, {"lines", count}, {"text", text}};
  };
  REQUIRE(service.ask(complain(150, "at first"), patience));
  CHECK(std::ranges::count(lines, "at first") == 100);
  REQUIRE(service.ask(complain(1, "later"), patience));
  CHECK(std::ranges::count(lines, "later") == 1);
}

TEST_CASE("what a service refuses is that request's error alone") {
  fake_service fake;
  service_process service{fake.options};
  const auto refused = service.ask(op("refuse"), patience);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ec::environment);
  CHECK(refused.error().message
        == "fake service: it says: \"there is no such thing\"");
  CHECK(service.ask({{"op", "echo"}, {"text", "on"}}, patience));
  CHECK(fake.pids().size() == 1);
}

TEST_CASE(
    "a service that ends tells everyone who waits, and is started again") {
  fake_service fake;
  service_process service{fake.options};
  REQUIRE(service.hello());
  result<service_reply> waiting = error{ec::internal, ""};
  std::thread other{[&] {
    waiting = service.ask({{"op", "hold"}, {"until", 2}}, patience);
  }};
  const auto died = service.ask(op("die-when-held"), patience);
  other.join();
  for (const auto& one : {died, waiting}) {
    REQUIRE_FALSE(one);
    CHECK(one.error().code == ec::environment);
    CHECK(one.error().message.find("exit status 9") != std::string::npos);
  }
  const auto again = service.ask({{"op", "echo"}, {"text", "back"}}, patience);
  REQUIRE(again);
  CHECK(again->incarnation == 2);
  const auto said = service.ask(op("die"), patience);
  REQUIRE_FALSE(said);
  CHECK(said.error().message.find("something fell over") != std::string::npos);
}

TEST_CASE("whoever keeps something in a service asks no other incarnation") {
  fake_service fake;
  service_process service{fake.options};
  const auto first = service.ask(op("pid"), patience);
  REQUIRE(first);
  CHECK(service.ask(op("pid"), patience, first->incarnation));
  REQUIRE_FALSE(service.ask(op("die"), patience));
  REQUIRE(service.ask(op("pid"), patience));
  const auto late = service.ask(op("pid"), patience, first->incarnation);
  REQUIRE_FALSE(late);
  CHECK(late.error().code == ec::environment);
}

TEST_CASE("the patience with a request begins anew while it waits its turn") {
  fake_service fake;
  service_process service{fake.options};
  const auto reply = service.ask({{"op", "queue"}, {"seconds", 6}}, 4s);
  REQUIRE(reply);
  CHECK(reply->body["text"] == "done");
  CHECK(reply->incarnation == 1);
  // What a service says of others does not keep a request that it forgot.
  const auto lost = service.ask(op("forget"), 1s);
  REQUIRE(!lost);
  CHECK(lost.error().message.find("not answer within 1000 ms")
        != std::string::npos);
}

TEST_CASE("a service that breaks the rules is ended and named") {
  const auto [name, expected] = GENERATE(table<const char*, const char*>(
      {{"garbage", "its output is not a JSON object: \"this is no reply\""},
       {"wrong-id", "it answered what nobody asked"},
       {"odd-waiting", "it answered what nobody asked"},
       {"chatter", "it ended with exit status 5"},
       {"silence", "it did not answer within 300 ms and was killed"}}));
  INFO(name);
  fake_service fake;
  service_process service{fake.options};
  REQUIRE(service.hello());
  const auto broke =
      service.ask(op(name), name == std::string{"silence"} ? 300ms : 20'000ms);
  REQUIRE_FALSE(broke);
  CHECK(broke.error().code == ec::environment);
  CHECK(broke.error().message.find(expected) != std::string::npos);
  REQUIRE(fake.pids().size() == 1);
  CHECK_FALSE(test::group_lives(fake.pids().front()));
}

TEST_CASE("a service that cannot be started is refused with its last words") {
  fake_service fake{{"--end-at-start"}};
  service_process service{fake.options};
  const auto refused = service.hello();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ec::exhausted);
  CHECK(refused.error().message.find("cannot be started") != std::string::npos);
  CHECK(refused.error().message.find("cannot find the parts")
        != std::string::npos);
  // After pauses that grow it is refused without another try.
  for (int i = 0; i < 8; ++i)
    REQUIRE_FALSE(service.hello());
  CHECK(fake.pids().size() == 3);
}

TEST_CASE("a service that is killed as it starts is started until it lives") {
  fake_service fake{{"--fail-at-starts", "1", "5", "killed"}};
  service_process service{fake.options};
  CHECK(service.ask({{"op", "echo"}, {"text", "at last"}}, patience));
  CHECK(fake.pids().size() == 6);
}

TEST_CASE("a service that is killed at every start is refused after a while") {
  fake_service fake{{"--fail-at-starts", "1", "1000", "killed"}};
  fake.options.start_patience = 1s;
  service_process service{fake.options};
  const auto refused = service.hello();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ec::exhausted);
  CHECK(refused.error().message.find("signal 9") != std::string::npos);
  const auto tried = fake.pids().size();
  CHECK(tried >= 3); // more, unless starting takes long here
  // Its patience is used up.
  CHECK_FALSE(service.hello());
  CHECK(fake.pids().size() <= tried + 1);
}

TEST_CASE("a service that has worked is given time to work again") {
  fake_service fake{{"--fail-at-starts", "2", "5", "ended"}};
  service_process service{fake.options};
  CHECK_FALSE(service.ask(op("die"), patience));
  CHECK(service.ask({{"op", "echo"}, {"text", "again"}}, patience));
  CHECK(fake.pids().size() == 6);
}

TEST_CASE("a service without a hello in time is refused") {
  fake_service fake{{"--no-hello"}};
  fake.options.start_timeout = 300ms;
  service_process service{fake.options};
  const auto refused = service.hello();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("did not introduce itself within 300 ms")
        != std::string::npos);
  // Another try would only take as long. One that is slow to start has not even
  // left its number.
  CHECK(fake.pids().size() <= 1);
}

TEST_CASE("a service ends with its owner, and what it forked with it") {
  std::vector<pid_t> pids;
  {
    fake_service fake;
    service_process service{fake.options};
    REQUIRE_FALSE(service.ask(op("fork-and-die"), patience));
    REQUIRE(service.hello());
    pids = fake.pids();
  }
  REQUIRE(pids.size() == 2);
  for (const auto pid : pids)
    CHECK_FALSE(test::group_lives(pid));
}

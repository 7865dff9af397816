#include "envs/external/child_pool.hpp"
#include "tests/envs/external/fake.hpp"

#include <fmt/format.h>

#include <mutex>

using namespace brewery;
using namespace brewery::test;
using namespace std::chrono_literals;

namespace {

struct failure {
  const char* how;
  const char* says;        ///< part of the message
  bool everywhere = false; ///< tried at every request, not at a step only
};

// What a child can do instead of answering.
constexpr failure failures[] = {
    {"exit",
     "it ended with exit status 3; last on its standard error: cannot "
     "go on",
     true},
    {"kill", "it was ended by signal 11", true},
    {"hang", "it did not answer within 2000 ms and was killed", true},
    {"stubborn", "it did not answer within 2000 ms and was killed"},
    {"half", "it did not answer within 2000 ms and was killed"},
    {"garbage",
     "\"Welcome to the machine\"; only replies may go to standard "
     "output",
     true},
    {"binary", "its output is not a reply"},
    {"huge", "longer than the 16777216 bytes a line may have"},
    {"partial", "it ended with exit status 0"},
    {"deaf", "it closed its standard output, and was killed"},
    {"other-id", "a reply to request"},
    {"nothing", "a reply with neither result nor error"},
    {"orphans", "it ended with exit status 4"},
    {"chatter", "it ended with exit status 5"},
    {"nan", "its reply is not JSON ("},
};

/// The requests of play(), hello being the first.
constexpr const char* requests[] = {"hello", "reset", "step", "step", "grade"};

} // namespace

TEST_CASE("whatever goes wrong at whichever request is an environment error") {
  for (const auto& [how, says, everywhere] : failures)
    for (int at = 2; at <= 5; ++at) {
      if (!everywhere && at != 3) continue;
      INFO(how << " at request " << at);
      fake_child fake;
      fake.add({"--fail-at", std::to_string(at), "--how", how, "--once",
                (fake.folder.path() / "failed").string()});
      // Short only where it is what ends the wait.
      const bool late = std::string{says}.find("2000 ms") != std::string::npos;
      fake.options.step_timeout = late ? 2s : 20s;
      fake.options.grade_timeout = fake.options.step_timeout;
      const auto source = fake.load();
      const auto first = play(*source);
      if (at == 2) {
        // Not the rollout's fault: the child was used before, for loading.
        REQUIRE(first);
        CHECK(*first == 1);
      } else {
        REQUIRE_FALSE(first);
        CHECK(first.error().code == ec::environment);
        INFO(first.error().message);
        CHECK(first.error().message.find(fmt::format(
                  "environment fake, {} of task t1: ", requests[at - 1]))
              == 0);
        CHECK(first.error().message.find(says) != std::string::npos);
        CHECK(first.error().message.find('\n') == std::string::npos);
      }
      CHECK_FALSE(group_lives(fake.pids().at(0)));
      const auto next = play(*source);
      REQUIRE(next);
      CHECK(*next == 1);
    }
}

TEST_CASE("a fresh child that fails at reset has failed the rollout") {
  const fake_child fake{{"--fail-at", "2", "--how", "exit"}};
  const auto source = fake.load();
  const auto first = play(*source);
  REQUIRE_FALSE(first);
  CHECK(first.error().code == ec::environment);
  CHECK(first.error().message.find("reset of task t1") != std::string::npos);
  CHECK(fake.pids().size() == 2);
}

TEST_CASE("a child that says it failed is kept, its rollout has no score") {
  for (int at = 2; at <= 5; ++at) {
    INFO(at);
    const fake_child fake{{"--fail-at", std::to_string(at), "--how", "error"}};
    const auto source = fake.load();
    const auto first = play(*source);
    REQUIRE_FALSE(first);
    CHECK(first.error().code == ec::environment);
    CHECK(first.error().message.find("it says: Oops: no") != std::string::npos);
    const auto next = play(*source);
    REQUIRE(next);
    CHECK(*next == 1);
    CHECK(fake.pids().size() == 1);
  }
}

TEST_CASE("a reply without what was asked for names the field") {
  const auto says = [](const char* at) {
    const fake_child fake{{"--fail-at", at, "--how", "empty"}};
    const auto done = play(*fake.load());
    REQUIRE_FALSE(done);
    return done.error().message;
  };
  CHECK(says("3") == "environment fake, step of task t1: results is missing");
  CHECK(says("5") == "environment fake, grade of task t1: reward is missing");
}

TEST_CASE("a child that breaks at close has harmed no rollout, and is named") {
  for (const auto* how : {"exit", "hang", "garbage"}) {
    fake_child fake{{"--fail-at", "6", "--how", how}};
    if (std::string_view{how} == "hang") fake.options.step_timeout = 2s;
    std::mutex mutex;
    std::size_t named = 0;
    fake.options.log = [&](const std::string& line) {
      const std::lock_guard lock{mutex};
      named += line.starts_with("environment: environment fake, close of ");
    };
    const auto source = fake.load();
    for (int i = 0; i < 2; ++i) {
      const auto done = play(*source);
      REQUIRE(done);
      CHECK(*done == 1);
    }
    CHECK(fake.pids().size() == 2);
    const std::lock_guard lock{mutex};
    CHECK(named == 2);
  }
}

TEST_CASE("a child that went while nobody asked it anything is replaced") {
  const fake_child fake{{"--fail-at", "6", "--how", "leave"}};
  const auto source = fake.load();
  for (int i = 0; i < 3; ++i)
    CHECK(*play(*source) == 1);
  CHECK(fake.pids().size() == 3);
}

TEST_CASE("a child that dies at start three times in a row is refused") {
  const fake_child fake{{"--fail-at", "1", "--how", "exit"}};
  const auto refused = fake.refusal();
  CHECK(refused.code == ec::exhausted);
  CHECK(fake.pids().size() == 3);
  CHECK(refused.message.find("environment \"python3 ") == 0);
  CHECK(refused.message.find(
            "cannot be started, 3 times in a row: it ended with exit status 3; "
            "last on its standard error: cannot go on")
        != std::string::npos);
}

TEST_CASE("a child that starts at the third attempt is taken") {
  fake_child fake;
  const auto once = (fake.folder.path() / "failed").string();
  fake.add({"--fail-at", "1", "--how", "exit", "--once", once});
  CHECK(*play(*fake.load()) == 1);
  CHECK(fake.pids().size() == 2);
}

TEST_CASE("a child that introduces itself badly is refused at once") {
  for (const auto& [how, says, everywhere] :
       {failure{
            "hang",
            "it did not introduce itself within 5000 ms (start_timeout_ms)"},
        failure{"garbage", "its output is not a reply"},
        failure{"empty", "hello: protocol is missing"},
        failure{"error", "it says: Oops: no"}}) {
    INFO(how << everywhere);
    fake_child fake{{"--fail-at", "1", "--how", how}};
    fake.options.start_timeout = std::string_view{how} == "hang" ? 5s : 60s;
    const auto refused = fake.refusal();
    CHECK(refused.message.find(says) != std::string::npos);
    CHECK(fake.pids().size() == 1);
    CHECK_FALSE(group_lives(fake.pids().at(0)));
  }
}

TEST_CASE("a hello that differs at each start is warned of, once") {
  fake_child fake{{"--changing"}};
  std::vector<std::string> warned, logged;
  fake.options.warn = [&](const auto& line) { warned.push_back(line); };
  fake.options.log = [&](const auto& line) { logged.push_back(line); };
  external::child_pool pool{fake.options};
  const auto first = pool.acquire();
  REQUIRE(first);
  for (int i = 0; i < 2; ++i) {
    const auto second = pool.acquire();
    REQUIRE_FALSE(second);
    CHECK(second.error().message.find("introduces itself otherwise")
          != std::string::npos);
  }
  pool.release(*first);
  REQUIRE(warned.size() == 1);
  CHECK(warned[0].find("introduces itself otherwise") != std::string::npos);
  CHECK(logged.size() == 1);
}

TEST_CASE("a first start that fails is an error and no warning") {
  fake_child fake{{"--fail-at", "1", "--how", "error"}};
  std::size_t warned = 0;
  fake.options.warn = [&](const auto&) { ++warned; };
  CHECK_FALSE(external::child_pool{fake.options}.acquire());
  CHECK(warned == 0);
}

TEST_CASE("a program that cannot be started is named") {
  fake_child fake;
  const auto says = [&](std::vector<std::string> words) {
    fake.options.command.words = std::move(words);
    return fake.refusal().message;
  };
  CHECK(says({"brewery-no-such-program"})
        == "environment \"brewery-no-such-program\" cannot be started: there "
           "is no program \"brewery-no-such-program\" in PATH");
  CHECK(says({"/nowhere/x"}).find("cannot start \"/nowhere/x\": No such file")
        != std::string::npos);
  CHECK(says({"/etc/passwd"}).find("cannot start \"/etc/passwd\": Permission")
        != std::string::npos);
  fake.options.command.directory = "/nowhere";
  CHECK(says({"/bin/true"}).find("cannot go to \"/nowhere\": No such file")
        != std::string::npos);
  fake.options.command.directory.clear();
  CHECK(says({"/bin/true"}).find("it ended with exit status 0")
        != std::string::npos);
}

TEST_CASE("a child that floods its standard error is heard, in part") {
  fake_child fake{{"--flood", "20000"}};
  std::mutex mutex;
  std::size_t lines = 0;
  std::string first;
  fake.options.log = [&](const std::string& line) {
    const std::lock_guard lock{mutex};
    if (lines++ == 0) first = line;
  };
  CHECK(*play(*fake.load()) == 1);
  CHECK(first.find("line 0 of very many") != std::string::npos);
  // 101 for each of seven requests and looks between them.
  CHECK(lines > 100);
  CHECK(lines < 2000);
}

TEST_CASE("no process is left when a benchmark goes") {
  fake_child fake;
  {
    const auto source = fake.load();
    const auto one = begin(*source), two = begin(*source);
    CHECK(fake.pids().size() == 2);
  }
  for (const auto pid : fake.pids())
    CHECK_FALSE(group_lives(pid));
}

TEST_CASE("an environment outlives its benchmark") {
  const fake_child fake;
  auto source = fake.load();
  const auto env = begin(*source);
  source.reset();
  CHECK(env->call("look", json::object()).content == "Lamp: off");
}

#include "tests/envs/external/fake.hpp"

#include <algorithm>
#include <set>

using namespace brewery;
using namespace brewery::test;

TEST_CASE("a child's tasks are played like those of any other benchmark") {
  const fake_child fake;
  const auto source = fake.load();
  CHECK(source->name() == "fake");
  REQUIRE(source->tasks().size() == 2);
  CHECK(source->tasks()[1].instruction == "Switch it on, too");
  CHECK(source->splits().at("test") == std::vector<std::size_t>{1});
  const auto env = begin(*source);
  REQUIRE(env->tools().size() == 3);
  CHECK(env->tools()[0].kind == tool_kind::read);
  CHECK(env->tools()[1].parameters.at(0).choices
        == std::vector<std::string>{"a", "b"});
  CHECK(env->briefing() == "Be kind.");
  CHECK(*env->opening() == "Hello?");
  CHECK(env->call("look", json::object()).content == "Lamp: off");
  CHECK(env->call("nonsense", json::object()).failed);
  CHECK(env->grade()->reward == 0);
  CHECK_FALSE(env->call("press", json{{"button", "b"}}).failed);
  CHECK(env->call("look", json::object()).content == "Lamp: on");
  const auto grade = env->grade();
  REQUIRE(grade);
  CHECK(grade->reward == 1);
  CHECK(grade->parts == std::vector<grade_part>{{"lamp on", true}});
  CHECK(source->make(task_id{"t9"}).error().code == ec::not_found);
}

TEST_CASE("equal children have equal fingerprints, others have others") {
  const fake_child one, two, talks{{"--conversation"}};
  CHECK(one.load()->fingerprint() == two.load()->fingerprint());
  CHECK(one.load()->fingerprint() != talks.load()->fingerprint());
}

TEST_CASE("a child plays one rollout at a time and then the next") {
  const fake_child fake;
  const auto source = fake.load();
  for (int i = 0; i < 3; ++i)
    CHECK(*play(*source) == 1);
  CHECK(fake.pids().size() == 1);
  const auto one = begin(*source), two = begin(*source);
  one->call("press", json{{"button", "b"}});
  CHECK(two->call("look", json::object()).content == "Lamp: off");
  CHECK(fake.pids().size() == 2);
}

TEST_CASE("a child that offers sessions plays as many rollouts at once") {
  const fake_child fake{{"--sessions", "2"}};
  const auto source = fake.load();
  const auto one = begin(*source), two = begin(*source);
  CHECK(fake.pids().size() == 1);
  one->call("press", json{{"button", "b"}});
  CHECK(two->call("look", json::object()).content == "Lamp: off");
  CHECK(one->grade()->reward == 1);
  CHECK(two->grade()->reward == 0);
  const auto three = begin(*source);
  CHECK(fake.pids().size() == 2);
}

TEST_CASE("rollouts of several threads do not see each other") {
  for (const auto* sessions : {"1", "3"}) {
    const fake_child fake{{"--sessions", sessions}};
    const auto source = fake.load();
    std::vector<std::thread> threads;
    std::atomic<int> good = 0;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        for (int k = 0; k < 5; ++k)
          if (const auto reward = play(*source); reward && *reward == 1) ++good;
      });
    for (auto& thread : threads)
      thread.join();
    CHECK(good == 20);
    CHECK(fake.pids().size() <= 4);
  }
}

TEST_CASE("without conversation words end the attempt, unheard") {
  const fake_child fake;
  const auto source = fake.load();
  const auto env = begin(*source);
  auto turn = env->take_turn({"Let me see",
                              {{"c1", "look", json::object()},
                               {"c2", "press", json{{"button", "b"}}}}});
  REQUIRE(turn);
  CHECK_FALSE(turn->over);
  CHECK(turn->reply.empty());
  REQUIRE(turn->results.size() == 2);
  CHECK(turn->results[0].content == "Lamp: off");
  REQUIRE(turn->events.size() == 4);
  CHECK(turn->events[0].observation == "Hello?"); // its opening
  CHECK(turn->events[1].tool == words_tool);
  CHECK(turn->events[1].observation == "Let me see");
  CHECK_FALSE(turn->events[2].mutates);
  CHECK(turn->events[3].mutates);
  turn = env->take_turn({"Done.", {}});
  REQUIRE(turn);
  CHECK(turn->over);
  CHECK(env->call("look", json::object()).failed);
  CHECK(env->grade()->reward == 1);
}

TEST_CASE("in a conversation the child hears words, answers and may end it") {
  const fake_child fake{{"--conversation"}};
  const auto source = fake.load();
  const auto env = begin(*source);
  auto turn =
      env->take_turn({"hello", {{"c1", "press", json{{"button", "b"}}}}});
  REQUIRE(turn);
  CHECK(turn->reply == "You said hello");
  CHECK_FALSE(turn->over);
  REQUIRE(turn->events.size() == 5);
  CHECK(turn->events[0].requestor == "user"); // who spoke first
  CHECK(turn->events[0].observation == "Hello?");
  CHECK(turn->events[1].requestor == "assistant");
  CHECK(turn->events[2].tool == "press");
  CHECK(turn->events[3].requestor == "user");
  CHECK(turn->events[3].tool == "wait");
  CHECK(turn->events[3].arguments == R"({"for":2})");
  CHECK(turn->events[4].observation == "You said hello");
  turn = env->take_turn({"bye", {}});
  REQUIRE(turn);
  CHECK(turn->over);
  CHECK(turn->events[0].observation == "bye"); // the opening is told once
  turn = env->take_turn({"one more", {{"c2", "look", json::object()}}});
  REQUIRE(turn);
  CHECK(turn->over);
  CHECK(turn->results.at(0).failed);
  CHECK(env->grade()->reward == 1);
}

TEST_CASE("a child sees the variables it was given and no open file of ours") {
  fake_child fake;
  fake.options.command.variables.emplace_back("WANTED", "1");
  fake.options.command.directory = fake.folder.path();
  ::setenv("BREWERY_TEST_SECRET", "hush", 1);
  const auto source = fake.load();
  const auto env = begin(*source);
  const auto ask = [&](const char* what) {
    return env->call("report", json{{"what", what}}).content;
  };
  // Python and what starts it may add some of their own.
  const auto names = json::parse(ask("variables")).get<std::set<std::string>>();
  CHECK(names.contains("PATH"));
  CHECK(names.contains("WANTED"));
  CHECK_FALSE(names.contains("HOME"));
  CHECK_FALSE(names.contains("BREWERY_TEST_SECRET"));
  // The fourth is the directory it looks into.
  CHECK(json::parse(ask("files")).size() == 4);
  CHECK(std::filesystem::equivalent(ask("directory"), fake.folder.path()));
}

TEST_CASE("requests and replies larger than a pipe go through") {
  const fake_child fake;
  const auto source = fake.load();
  const auto env = begin(*source);
  // 300 kB out, 300 MB would be too long; 1000 times 3 kB in.
  const std::string long_word(3000, 'w');
  const auto answer =
      env->call("report", json{{"what", long_word},
                               {"padding", std::string(300'000, 'p')}});
  CHECK(answer.content.size() == 3'000'000);
}

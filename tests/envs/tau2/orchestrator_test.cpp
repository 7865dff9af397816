#include "envs/tau2/orchestrator.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::tau2;
using namespace std::chrono_literals;
using party = orchestrator::party;

namespace {

constexpr std::chrono::milliseconds at_once{0};

turn words(std::string text) {
  return {.text = std::move(text), .calls = {}};
}

turn calls(std::vector<std::string> names, std::string text = {}) {
  turn out{.text = std::move(text), .calls = {}};
  for (auto& name : names)
    out.calls.push_back({.id = "", .name = std::move(name)});
  return out;
}

talk_rules with_user(std::uint32_t max_steps = 100,
                     std::uint32_t max_errors = 10) {
  talk_rules rules;
  rules.mode = play_mode::with_user;
  rules.max_steps = max_steps;
  rules.max_errors = max_errors;
  return rules;
}

talk_rules solo(std::uint32_t max_steps = 100) {
  talk_rules rules;
  rules.max_steps = max_steps;
  return rules;
}

void say(orchestrator& talk, const turn& message) {
  REQUIRE(talk.speak(message, at_once).has_value());
}

} // namespace

TEST_CASE("after the greeting the user is first, and then they take turns") {
  orchestrator talk{with_user()};
  CHECK(talk.next() == party::user);
  CHECK(talk.steps() == 0); // the greeting is no step
  say(talk, words("My phone is broken."));
  CHECK(talk.next() == party::agent);
  say(talk, words("Since when?"));
  CHECK(talk.next() == party::user);
  CHECK(talk.steps() == 2);
}

TEST_CASE("each message and each execution of its calls is a step") {
  orchestrator talk{with_user()};
  say(talk, words("Hello."));
  say(talk, calls({"look", "look_again", "look_once_more"}));
  CHECK(talk.next() == party::world);
  CHECK(talk.steps() == 2);
  talk.ran(0, at_once);
  CHECK(talk.steps() == 3); // three calls, one step
  CHECK(talk.next() == party::agent);
  say(talk, words("Please look at it."));
  say(talk, calls({"check"}));
  CHECK(talk.next() == party::world);
  talk.ran(0, at_once);
  CHECK(talk.next() == party::user); // its results are the user's
  CHECK(talk.steps() == 6);
}

TEST_CASE("a user stops with any of three words, in text without a call") {
  for (const char* token :
       {"###STOP###", "###TRANSFER###", "###OUT-OF-SCOPE###"}) {
    INFO(token);
    orchestrator talk{with_user()};
    say(talk, words(std::string{"Bye. "} + token));
    CHECK(talk.over());
    CHECK(talk.why() == ending::user_stop);
    CHECK(properly_ended(talk.why()));

    orchestrator going{with_user()};
    say(going, calls({"toggle_data"}, token)); // a call: not a stop
    CHECK_FALSE(going.over());
  }
}

TEST_CASE("an agent with a user cannot stop") {
  orchestrator talk{with_user()};
  say(talk, words("Hello."));
  say(talk, words("Done. ###STOP###"));
  CHECK_FALSE(talk.over());
  CHECK(talk.next() == party::user);
  say(talk, words("Fine."));
  say(talk, calls({std::string{done_tool}})); // a call like any other
  CHECK_FALSE(talk.over());
  CHECK(talk.next() == party::world);
}

TEST_CASE("a stop on the last step that is allowed counts as max_steps") {
  orchestrator talk{with_user(3)};
  say(talk, words("a"));
  say(talk, words("b"));
  CHECK_FALSE(talk.over());
  say(talk, words("###STOP###"));
  CHECK(talk.over());
  CHECK(talk.why() == ending::max_steps);
  CHECK_FALSE(properly_ended(talk.why()));

  orchestrator longer{with_user(4)};
  say(longer, words("a"));
  say(longer, words("b"));
  say(longer, words("###STOP###"));
  CHECK(longer.why() == ending::user_stop);
}

TEST_CASE("limits are not looked at while the environment is next") {
  orchestrator talk{with_user(2)};
  say(talk, words("a"));
  say(talk, calls({"look"})); // step 2 of 2, but its calls still run
  CHECK_FALSE(talk.over());
  talk.ran(0, at_once);
  CHECK(talk.over());
  CHECK(talk.why() == ending::max_steps);
}

TEST_CASE("failed calls of both sides add up, and override max_steps") {
  orchestrator talk{with_user(100, 3)};
  say(talk, words("a"));
  say(talk, calls({"x", "y"}));
  talk.ran(2, at_once);
  CHECK_FALSE(talk.over());
  say(talk, words("b"));
  say(talk, calls({"z"}));
  talk.ran(1, at_once);
  CHECK(talk.why() == ending::too_many_errors);
  CHECK(talk.errors() == 3);

  orchestrator both{with_user(3, 1)};
  say(both, words("a"));
  say(both, calls({"x"}));
  both.ran(1, at_once); // step 3 of 3 and error 1 of 1
  CHECK(both.why() == ending::too_many_errors);
}

TEST_CASE("a timeout ends what is not over, and overrides nothing") {
  auto rules = with_user(2);
  rules.timeout = 10s;
  orchestrator talk{rules};
  REQUIRE(talk.speak(words("a"), 9s).has_value());
  CHECK_FALSE(talk.over());
  REQUIRE(talk.speak(words("b"), 10s).has_value());
  CHECK(talk.why() == ending::max_steps);
  rules.max_steps = 100;
  orchestrator slow{rules};
  REQUIRE(slow.speak(words("a"), 10s).has_value());
  CHECK(slow.why() == ending::timeout);
  orchestrator stopped{rules};
  REQUIRE(stopped.speak(words("###STOP###"), 11s).has_value());
  CHECK(stopped.why() == ending::user_stop);
  orchestrator patient{with_user()};
  REQUIRE(patient.speak(words("a"), 1000h).has_value());
  CHECK_FALSE(patient.over()); // no timeout asked for
}

TEST_CASE("a message without words or calls is an error, not an end") {
  for (const char* text : {"", " ", "\n\t "}) {
    orchestrator talk{with_user()};
    const auto user = talk.speak(words(text), at_once);
    REQUIRE_FALSE(user.has_value());
    CHECK(user.error().code == ec::environment);
    CHECK(user.error().message.find("the simulated user sent an empty")
          != std::string::npos);
    say(talk, words("a"));
    const auto agent = talk.speak(words(text), at_once);
    REQUIRE_FALSE(agent.has_value());
    CHECK(agent.error().message.find("the agent sent an empty")
          != std::string::npos);
    CHECK_FALSE(orchestrator{solo()}.speak(words(text), at_once).has_value());
  }
}

TEST_CASE("words beside calls run the calls, unless the protocol is enforced") {
  orchestrator talk{with_user()};
  say(talk, calls({"check"}, "Let me see."));
  CHECK(talk.next() == party::world);
  talk.ran(0, at_once);
  say(talk, words("All fine."));
  say(talk, calls({"look"}, "One moment."));
  CHECK(talk.next() == party::world);

  auto strict = with_user();
  strict.enforce_protocol = true;
  orchestrator user{strict};
  say(user, calls({"check"}, "Let me see."));
  CHECK(user.why() == ending::user_error);
  orchestrator agent{strict};
  say(agent, words("a"));
  say(agent, calls({"look"}, "One moment."));
  CHECK(agent.over());
  CHECK(agent.why() == ending::agent_error);
  orchestrator blank{strict};
  say(blank, calls({"check"}, " \n")); // white space is no text
  CHECK_FALSE(blank.over());
}

TEST_CASE("alone, the agent's first message is no step") {
  orchestrator talk{solo(3)};
  CHECK(talk.next() == party::agent);
  say(talk, calls({"look"}));
  CHECK(talk.steps() == 0);
  talk.ran(0, at_once);
  CHECK(talk.steps() == 1);
  CHECK(talk.next() == party::agent);
  say(talk, calls({"look"})); // 2
  talk.ran(0, at_once);       // 3
  CHECK(talk.why() == ending::max_steps);
}

TEST_CASE("alone, done among other calls ends at once and drops them") {
  orchestrator talk{solo()};
  say(talk, calls({"look"}));
  talk.ran(0, at_once);
  const auto said = talk.speak(calls({"repair", "done", "look"}), at_once);
  REQUIRE(said.has_value());
  CHECK(said->calls.empty());
  CHECK(said->text == stop_token);
  CHECK(talk.why() == ending::agent_stop);

  orchestrator first{solo(1)}; // no limit is looked at before the first step
  say(first, calls({"done"}));
  CHECK(first.why() == ending::agent_stop);
  orchestrator late{solo(2)};
  say(late, calls({"look"}));
  late.ran(0, at_once);
  say(late, calls({"done"})); // step 2 of 2
  CHECK(late.why() == ending::max_steps);
}

TEST_CASE("alone, the stop token ends and other words are the agent's error") {
  orchestrator stop{solo()};
  say(stop, words("I am done ###STOP###"));
  CHECK(stop.why() == ending::agent_stop);
  orchestrator talk{solo()};
  say(talk, words("How can I help?"));
  CHECK(talk.over());
  CHECK(talk.why() == ending::agent_error);
  orchestrator later{solo()};
  say(later, calls({"look"}));
  later.ran(0, at_once);
  say(later, words("I am done"));
  CHECK(later.why() == ending::agent_error);
}

TEST_CASE("only the two stops are graded, under the reference's names") {
  std::size_t proper = 0;
  for (const auto& [why, name] : std::vector<std::pair<ending, std::string>>{
           {ending::user_stop, "user_stop"},
           {ending::agent_stop, "agent_stop"},
           {ending::max_steps, "max_steps"},
           {ending::timeout, "timeout"},
           {ending::too_many_errors, "too_many_errors"},
           {ending::agent_error, "agent_error"},
           {ending::user_error, "user_error"},
           {ending::unfinished, "unfinished"}}) {
    CHECK(to_string(why) == name);
    proper += properly_ended(why);
  }
  CHECK(proper == 2);
}

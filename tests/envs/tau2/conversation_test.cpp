/// Conversations of scripted agents and users on the small desk.

#include "tests/envs/scripted_participants.hpp"
#include "tests/envs/tau2/small_store.hpp"

using namespace brewery;
using namespace brewery::tau2;
using namespace brewery::test;

namespace {

std::string replaced(std::string text, const std::string& from,
                     const std::string& to) {
  REQUIRE(text.find(from) != std::string::npos);
  return text.replace(text.find(from), from.size(), to);
}

/// The small desk with policies, guidelines and a full scenario.
class talking_store {
public:
  talking_store() {
    const auto domains = desk_.folder() / "tau2" / "domains" / "telecom";
    const auto simulator = desk_.folder() / "tau2" / "user_simulator";
    std::filesystem::create_directories(domains);
    std::filesystem::create_directories(simulator);
    for (const auto& [name, text] : std::map<std::string, std::string>{
             {"db.toml", small_db},
             {"user_db.toml", small_user_db},
             {"split_tasks.json", small_splits},
             {"main_policy.md", "Be brief."},
             {"main_policy_solo.md", "Be brief and alone."},
             {"tech_support_manual.md", "Switch it off and on."}})
      write(name, text);
    std::ofstream{simulator / "simulation_guidelines.md"} << "Play.";
    std::ofstream{simulator / "simulation_guidelines_tools.md"}
        << "Play with tools.";
    write("tasks.json",
          replaced(small_tasks, R"("user_scenario": {"instructions": "x"})",
                   R"("user_scenario": {"persona": "Old.\n\nSlow.",
        "instructions": {"domain": "telecom", "reason_for_call": "No data.",
          "known_info": "You are Ada.", "unknown_info": null,
          "task_instructions": "Wait.\n\nThen stop."}})"));
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream{folder() / name, std::ios::binary} << text;
  }
  [[nodiscard]] std::filesystem::path folder() const {
    return desk_.folder() / "tau2" / "domains" / "telecom";
  }
  [[nodiscard]] result<std::shared_ptr<const tau2_benchmark>>
  load(tau2_options options = {}) const {
    if (!options.mode) options.mode = play_mode::with_user;
    return load_tau2("tau2-telecom", desk_.folder(), options);
  }

private:
  small_store desk_;
};

struct played {
  std::shared_ptr<scripted_user> user;
  std::unique_ptr<environment> env;
};

played start(const tau2_benchmark& bench, std::deque<turn> script,
             const char* task = "data_off",
             std::shared_ptr<statement_judge> judge = nullptr) {
  auto user = std::make_shared<scripted_user>(std::move(script));
  auto env = bench.make({task}, {user, std::move(judge)});
  if (!env) FAIL(to_string(env.error()));
  return {user, std::move(*env)};
}

std::vector<std::string> lines_of(const std::vector<trajectory_step>& events) {
  std::vector<std::string> out;
  for (const auto& e : events)
    out.push_back(e.requestor + " " + e.tool + "> " + e.observation);
  return out;
}

} // namespace

TEST_CASE("a conversation starts with a greeting that the user answers") {
  const talking_store files;
  const auto bench = files.load();
  REQUIRE(bench.has_value());
  auto [user, env] = start(**bench, {say("No data."), say("###STOP###")});
  CHECK(*env->opening() == "No data.");
  CHECK(*env->opening() == "No data."); // asked once
  REQUIRE(user->saw.size() == 1);
  CHECK(user->saw[0].text == greeting);
  const auto out = env->take_turn(say("Sorry to hear that."));
  REQUIRE(out.has_value());
  CHECK(out->over);
  CHECK(out->reply == "###STOP###");
  CHECK(lines_of(out->events)
        == std::vector<std::string>{
            "assistant > Hi! How can I help you today?", "user > No data.",
            "assistant > Sorry to hear that.", "user > ###STOP###"});
}

TEST_CASE("a user is told guidelines and the scenario as it is laid out") {
  const talking_store files;
  const auto bench = files.load();
  REQUIRE(bench.has_value());
  auto [user, env] = start(**bench, {say("Hi.")});
  (void)env->opening();
  REQUIRE(user->briefings.size() == 1);
  CHECK(user->briefings[0].guidelines == "Play with tools.");
  CHECK(user->briefings[0].tools->size() == 30);
  CHECK(user->briefings[0].scenario
        == "Persona:\n\tOld.\n\n\tSlow.\nInstructions:\n\tDomain: telecom\n"
           "\tReason for call:\n\t\tNo data.\n\tKnown info:\n\t\tYou are Ada.\n"
           "\tTask instructions:\n\t\tWait.\n\n\t\tThen stop.");
  auto [other, second] = start(**bench, {say("Hi.")}, "hand_over");
  (void)second->opening();
  CHECK(other->briefings[0].scenario == "Instructions:\n\tx");
}

TEST_CASE("a user has the tools the task names, or all") {
  const talking_store files;
  files.write("tasks.json",
              replaced(replaced(small_tasks, R"("id": "data_off",)",
                                R"("id": "data_off",
                                "user_tools": ["toggle_data"],)"),
                       R"("id": "hand_over",)",
                       R"("id": "hand_over", "user_tools": [],)"));
  const auto bench = files.load();
  REQUIRE(bench.has_value());
  auto [user, env] = start(**bench, {say("Hi.")});
  (void)env->opening();
  REQUIRE(user->briefings[0].tools->size() == 1);
  CHECK(user->briefings[0].tools->front().name == "toggle_data");
  auto [bare, second] = start(**bench, {say("Hi.")}, "hand_over");
  (void)second->opening();
  CHECK(bare->briefings[0].tools->empty());
  CHECK(bare->briefings[0].guidelines == "Play.");
  files.write("tasks.json", replaced(small_tasks, R"("id": "data_off",)",
                                     R"("id": "data_off",
                                     "user_tools": ["toggle_dta"],)"));
  const auto wrong = files.load();
  REQUIRE_FALSE(wrong.has_value());
  CHECK(
      wrong.error().message.find("user_tools[0] names the tool \"toggle_dta\"")
      != std::string::npos);
}

TEST_CASE("each side sees its own calls, and the other's words only") {
  const talking_store files;
  const auto bench = files.load();
  REQUIRE(bench.has_value());
  auto [user, env] =
      start(**bench, {say("No data."), use("toggle_data", json::object(), "Ok"),
                      say("It works. ###STOP###")});
  CHECK(env->tools().size() == 13); // not the phone's
  CHECK(*env->opening() == "No data.");
  const auto looked = env->take_turn(use("get_details_by_id", {{"id", "P1"}}));
  REQUIRE(looked.has_value());
  REQUIRE(looked->results.size() == 1);
  CHECK_FALSE(looked->results[0].failed);
  CHECK(looked->reply.empty());
  CHECK_FALSE(looked->over);
  CHECK(user->saw.size() == 1); // nothing of it reached the user
  const auto out = env->take_turn(say("Switch data on."));
  REQUIRE(out.has_value());
  CHECK(out->reply == "It works. ###STOP###"); // "Ok" reached nobody
  REQUIRE(user->saw.size() == 5);
  CHECK(user->saw[1].move.text == "No data.");
  CHECK(user->saw[2].text == "Switch data on.");
  CHECK(user->saw[4].what == user_event::kind::answered);
  CHECK(user->saw[4].id == "c1");
  CHECK_FALSE(user->saw[4].failed);
  CHECK(out->over);
  REQUIRE(out->events.size() == 4);
  CHECK(out->events[2].tool == "toggle_data");
  CHECK(out->events[2].requestor == "user");
  CHECK(out->events[2].mutates);
  CHECK(env->grade()->reward == 1);
}

TEST_CASE("several calls of one message run in order, with all results") {
  const talking_store files;
  const auto bench = files.load();
  auto [user, env] = start(**bench, {say("Hi."), say("###STOP###")});
  (void)env->opening();
  turn move = use("get_details_by_id", {{"id", "P1"}});
  move.calls.push_back(use("no_such").calls[0]);
  move.calls.push_back(use("get_details_by_id", {{"id", "L1"}}).calls[0]);
  const auto out = env->take_turn(move);
  REQUIRE(out->results.size() == 3);
  CHECK_FALSE(out->results[0].failed);
  CHECK(out->results[1].content == "Error: Tool 'no_such' not found.");
  CHECK_FALSE(out->results[2].failed);
}

TEST_CASE("what did not end properly has no reward, whatever was done") {
  const talking_store files;
  const auto bench = files.load({.splits = {},
                                 .mode = {},
                                 .max_steps = 4,
                                 .max_errors = 2,
                                 .enforce_protocol = false,
                                 .timeout = {}});
  auto [user, env] =
      start(**bench, {use("toggle_data"), say("Fine."), say("###STOP###")});
  CHECK(*env->opening() == "Fine."); // three steps
  CHECK(premature_ending(*env->grade()) == "unfinished");
  CHECK(env->take_turn(say("Good."))->over); // the fourth
  const auto report = *env->grade();
  CHECK(report.reward == 0);
  REQUIRE(report.parts.size() == 1);
  CHECK(premature_ending(report) == "max_steps");

  auto [other, errors] = start(**bench, {say("Hi.")});
  (void)errors->opening();
  turn move = use("no_such");
  move.calls.push_back(move.calls[0]);
  CHECK(errors->take_turn(move)->over);
  CHECK(premature_ending(*errors->grade()) == "too_many_errors");
}

TEST_CASE("a user who fails ends the rollout without a score") {
  const talking_store files;
  const auto bench = files.load();
  auto [user, env] = start(**bench, {say("Hi.")});
  (void)env->opening();
  const auto first = env->take_turn(say("Hello?"));
  REQUIRE_FALSE(first.has_value());
  CHECK(first.error().code == ec::timeout);
  CHECK_FALSE(env->take_turn(say("Hello?")).has_value());
  CHECK_FALSE(env->grade().has_value());

  auto [mute, at_start] = start(**bench, {});
  CHECK(at_start->opening().error().code == ec::timeout);
  CHECK_FALSE(at_start->take_turn(say("Hello?")).has_value());
  auto [blank, empty] = start(**bench, {say(" ")});
  CHECK_FALSE(empty->opening().has_value());
  CHECK(empty->take_turn(say("Hello?")).error().message.find("empty message")
        != std::string::npos);
}

TEST_CASE("a user may stop before the agent has said anything") {
  const talking_store files;
  const auto bench = files.load();
  auto [user, env] =
      start(**bench, {use("toggle_data"), say("Solved. ###STOP###")});
  CHECK(*env->opening() == "Solved. ###STOP###");
  const auto out = env->take_turn(say("Hello?"));
  CHECK(out->over);
  CHECK(out->events.size() == 3); // what the agent said came too late
  CHECK(env->grade()->reward == 1);
}

TEST_CASE("without a user there is no conversation to make") {
  const talking_store files;
  const auto bench = files.load();
  const auto env = (*bench)->make({"data_off"});
  REQUIRE_FALSE(env.has_value());
  CHECK(env.error().code == ec::invalid_argument);
  CHECK(env.error().message
        == "task \"data_off\" needs a simulated user to talk to, and there is "
           "none");
}

TEST_CASE("statements are judged on everything that was said and done") {
  const talking_store files;
  files.write("tasks.json",
              replaced(small_tasks,
                       R"("reward_basis": ["ENV_ASSERTION", "DB"])",
                       R"("nl_assertions": ["is polite", "is brief"],
                          "reward_basis": ["NL_ASSERTION"])"));
  const auto bench = files.load();
  REQUIRE(bench.has_value());
  const auto missing = (*bench)->make(
      {"data_off"}, {std::make_shared<scripted_user>(std::deque<turn>{}), {}});
  REQUIRE_FALSE(missing.has_value());
  CHECK(missing.error().message.find("a judge of statements")
        != std::string::npos);
  for (const auto& [verdicts, reward] :
       std::vector<std::pair<std::vector<bool>, double>>{{{true, true}, 1},
                                                         {{true, false}, 0}}) {
    auto judge = std::make_shared<fixed_judge>(verdicts);
    auto [user, env] =
        start(**bench, {say("Hi."), say("###TRANSFER###")}, "data_off", judge);
    (void)env->opening();
    (void)env->take_turn(say("Good day."));
    const auto report = *env->grade();
    CHECK(report.reward == reward);
    CHECK(report.parts[1] == grade_part{"statement is brief", verdicts[1]});
    CHECK(judge->asked == std::vector<std::string>{"is polite", "is brief"});
    CHECK(judge->saw.size() == 4);
  }
  auto lazy = std::make_shared<fixed_judge>(std::vector<bool>{});
  auto [user, env] = start(**bench, {say("###STOP###")}, "data_off", lazy);
  (void)env->opening();
  const auto report = env->grade();
  REQUIRE_FALSE(report.has_value());
  CHECK(report.error().message == "the judge gave 0 verdicts on 2 statements");
}

TEST_CASE("alone, an agent plays turns with both kits and ends with done") {
  const talking_store files;
  const auto bench = files.load({.splits = {}, .mode = play_mode::solo});
  REQUIRE(bench.has_value());
  auto env = (*bench)->make({"data_off"});
  REQUIRE(env.has_value());
  CHECK((*env)->opening()->empty());
  const auto moved = (*env)->take_turn(use("toggle_data"));
  REQUIRE(moved.has_value());
  CHECK_FALSE(moved->over);
  CHECK(moved->events[0].mutates);
  CHECK(premature_ending(*(*env)->grade()) == "unfinished");
  turn last = use("done");
  last.calls.push_back(use("toggle_data").calls[0]); // dropped
  const auto out = (*env)->take_turn(last);
  CHECK(out->over);
  CHECK(out->results.empty());
  CHECK((*env)->grade()->reward == 1);
  auto chatty = (*bench)->make({"data_off"});
  CHECK((*chatty)->take_turn(say("Hello?"))->over);
  CHECK(premature_ending(*(*chatty)->grade()) == "agent_error");
}

TEST_CASE("an agent is told its mode, and the policy of the data") {
  const talking_store files;
  const auto talking = files.load();
  const auto text = start(**talking, {say("Hi.")}).env->briefing();
  CHECK(text.find("<policy>\n<main_policy>\nBe brief.\n</main_policy>\n"
                  "<tech_support_policy>\nSwitch it off and on.\n"
                  "</tech_support_policy>\n</policy>")
        != std::string::npos);
  const auto alone = files.load({.splits = {}, .mode = play_mode::solo});
  CHECK((*(*alone)->make({"data_off"}))->briefing().find("Be brief and alone.")
        != std::string::npos);
  CHECK((*alone)->tasks()[0].instruction == "Mobile data does not work.");
  // What the user wants is not for the agent, but tasks are chosen by it.
  CHECK((*talking)->tasks()[0].instruction.empty());
  CHECK((*talking)->tasks()[0].about() == "No data.");
}

TEST_CASE("policies are all there or, for generated data, none") {
  const talking_store files;
  std::filesystem::remove(files.folder() / "tech_support_manual.md");
  const auto half = files.load({.splits = {}, .mode = play_mode::solo});
  REQUIRE_FALSE(half.has_value());
  CHECK(half.error().message.find("tech_support_manual.md: no such file")
        != std::string::npos);
  std::filesystem::remove(files.folder() / "main_policy_solo.md");
  std::filesystem::remove(files.folder() / "main_policy.md");
  const auto none = files.load({.splits = {}, .mode = play_mode::solo});
  REQUIRE(none.has_value());
  CHECK((*(*none)->make({"data_off"}))->briefing().find("<policy>")
        == std::string::npos);
  CHECK_FALSE(files.load().has_value()); // a conversation needs its policy
}

TEST_CASE("the fingerprint is the data's, with all that may be told") {
  const talking_store files;
  const auto print = [&](const tau2_options& options) {
    const auto bench = files.load(options);
    REQUIRE(bench.has_value());
    return (*bench)->fingerprint();
  };
  tau2_options alone;
  alone.mode = play_mode::solo;
  const auto before = print({});
  CHECK(print(alone) == before);
  files.write("main_policy.md", "Be very brief.");
  CHECK(print({}) != before);
  CHECK(print(alone) == print({}));
}
